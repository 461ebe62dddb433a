"""Models by their id on a hub: the hub's local cache, our own cache, and a hub that this test plays on the loopback
interface, well-behaved and otherwise."""

import http.server
import json
import tempfile
import threading
import time
import unittest
from pathlib import Path

import harness
from harness import BAD_INPUT, ENVIRONMENT

CONFIG = {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
          "intermediate_size": 128, "vocab_size": 100, "tie_word_embeddings": True}
WEIGHTS = 88_640  # 100 x 64 + 2 x (4 x 64 x 64 + 3 x 64 x 128 + 2 x 64) + 64
TEXT = json.dumps(CONFIG)
TOKEN = "hf_secret_of_this_test"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


class Hub(http.server.BaseHTTPRequestHandler):
    """Answers by the path; every request is noted on the server."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.seen.append((self.path, self.headers.get("Authorization")))
        name = self.path.split("/")[2] if self.path.count("/") > 2 else self.path
        answer = getattr(self, "answer_" + name.replace("-", "_"), None)
        if answer is None:
            self.say(404, "Repository not found", error="RepoNotFound")
        else:
            answer()

    def say(self, status, text, kind="text/plain", error="", length=None, **headers):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        if error:
            self.send_header("X-Error-Code", error)
        for header, value in headers.items():
            self.send_header(header, value)
        self.end_headers()
        self.wfile.write(body)

    def answer_good(self):
        self.say(200, TEXT)

    def answer_with_revision(self):
        self.say(200, TEXT) if "/resolve/v2/" in self.path else self.say(404, "", error="RevisionNotFound")

    def answer_without_config(self):
        self.say(404, "", error="EntryNotFound")

    def answer_gated(self):
        if self.headers.get("Authorization") == f"Bearer {TOKEN}":
            self.say(200, TEXT)
        else:
            self.say(401, "Access to model is restricted", error="GatedRepo")

    def answer_forbidden(self):
        self.say(403, "", error="GatedRepo")

    def answer_moved(self):
        self.say(307, "", Location=self.server.other + "/cdn/good/x?signature=secret")

    def answer_moved_here(self):
        self.say(302, "", Location="/o/gated/resolve/main/config.json")

    def answer_circle(self):
        self.say(302, "", Location=self.path)

    def answer_to_a_file(self):
        self.say(302, "", Location="file:///etc/passwd")

    def answer_slow(self):
        self.server.over.wait(20)

    def answer_drip(self):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        for _ in range(200):
            self.wfile.write(b" ")
            self.wfile.flush()
            if self.server.over.wait(0.1):
                break

    def answer_cut(self):
        self.say(200, TEXT[:50], length=len(TEXT))
        self.close_connection = True

    def answer_cut_unnoticed(self):
        self.say(200, TEXT[:50])

    def answer_page(self):
        self.say(200, "<!doctype html><title>Log in</title>", kind="text/html; charset=utf-8")

    def answer_list(self):
        self.say(200, "[1]")

    def answer_huge(self):
        self.send_response(200)
        self.send_header("Content-Length", str(200 << 20))
        self.end_headers()
        for _ in range(200):
            self.wfile.write(b" " * (1 << 20))

    def answer_unsupported(self):
        self.say(200, json.dumps({**CONFIG, "model_type": "nonesuch9"}))

    def answer_broken(self):
        self.say(500, "")

    def answer_busy(self):
        self.say(429, "")


class QuietServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):  # a client that hangs up is what some tests want
        pass


class HubModels(harness.ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.hub, self.other = self.serve(), self.serve()
        self.hub.other = f"http://localhost:{self.other.server_address[1]}"

    def serve(self):
        server = QuietServer(("127.0.0.1", 0), Hub)
        server.seen = []
        server.over = threading.Event()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(server.over.set)
        return server

    def env(self, **changes):
        fixed = {"HOME": str(self.folder), "HF_HUB_OFFLINE": "", "no_proxy": "*",
                 "HF_ENDPOINT": f"http://127.0.0.1:{self.hub.server_address[1]}"}
        return {**fixed, **changes}

    def cached(self):
        return sorted(path.name for path in (self.folder / ".cache").rglob("*") if path.is_file())

    def refused(self, name, code=ENVIRONMENT, **changes):
        answer = self.mekiki("model", name, code=code, env=self.env(HF_TOKEN=TOKEN, **changes))
        self.assertEqual(answer.stdout, "", f"\n{answer}")
        self.assertNotIn(TOKEN, answer.stderr)
        error = self.mekiki_error("model", name, code=code, env=self.env(HF_TOKEN=TOKEN, **changes))
        self.assertNotIn(TOKEN, str(error))
        self.assertTrue(error["hint"], error)
        self.assertEqual(self.cached(), [], "nothing is kept of what was refused")
        return error

    def test_a_config_is_fetched_once_and_reused_offline(self):
        value = self.mekiki_json("model", "o/good", env=self.env())
        self.assertEqual(value["counts"]["trainable"], WEIGHTS)
        self.assertEqual(value["model"], "o/good")
        self.assertIn("/o/good/resolve/main/config.json", value["source"])
        self.assertEqual(self.cached(), ["config.json"])
        self.assertEqual(self.mekiki_json("model", "o/good", env=self.env()), value)
        self.assertEqual(self.mekiki_json("model", "o/good", "--offline", env=self.env()), value)
        self.assertEqual(len(self.hub.seen), 1)
        self.mekiki("fit", "o/good", "--gpu", "L40S", "--sequence-length", "128", env=self.env())
        self.assertEqual(len(self.hub.seen), 1)

    def test_offline_asks_nobody(self):
        for how in ({"flags": ["--offline"]}, {"HF_HUB_OFFLINE": "1"}, {"TRANSFORMERS_OFFLINE": "true"}):
            flags = how.pop("flags", [])
            error = self.mekiki_error("model", "o/good", *flags, code=BAD_INPUT, env=self.env(**how))
            self.assertEqual(error["code"], "not_found")
            self.assertIn("offline", error["hint"])
        self.assertEqual(self.hub.seen, [])

    def test_bundled_names_and_files_ask_nobody(self):
        self.mekiki("model", "meta-llama/Llama-3.2-1B", env=self.env())
        self.assertEqual(self.hub.seen, [])

    def test_a_revision(self):
        self.assertEqual(self.mekiki_json("model", "o/with-revision@v2", env=self.env())["model"],
                         "o/with-revision@v2")
        error = self.mekiki_error("model", "o/with-revision@v3", code=BAD_INPUT, env=self.env())
        self.assertIn("v3", error["message"])
        self.mekiki_error("model", "o/with-revision@../../x", code=BAD_INPUT, env=self.env())
        self.assertTrue(all(".." not in path for path, _ in self.hub.seen))

    def test_the_local_cache_of_the_hub_comes_first(self):
        folder = self.folder / "hub" / "models--o--good"
        snapshot = folder / "snapshots" / COMMIT
        snapshot.mkdir(parents=True)
        (folder / "refs").mkdir()
        (folder / "refs" / "main").write_text(COMMIT)
        (snapshot / "config.json").write_text(json.dumps({**CONFIG, "vocab_size": 200}))
        (snapshot / "README.md").write_text("---\nlicense: mit\n---\n")
        value = self.mekiki_json("model", "o/good", env=self.env(HF_HOME=str(self.folder)))
        self.assertEqual(value["counts"]["trainable"], WEIGHTS + 100 * 64)
        self.assertEqual(value["license"], "mit")
        self.assertEqual(self.hub.seen, [])

    def test_a_token_opens_a_gated_model(self):
        error = self.mekiki_error("model", "o/gated", code=ENVIRONMENT, env=self.env())
        self.assertIn("licence", error["hint"])
        self.assertIn("HF_TOKEN", error["hint"])
        for how in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
            self.mekiki("model", "o/gated", env=self.env(**{how: TOKEN, "XDG_CACHE_HOME": str(self.folder / how)}))
        token = self.folder / ".cache" / "huggingface" / "token"
        token.parent.mkdir(parents=True, exist_ok=True)
        token.write_text(TOKEN + "\n")
        self.mekiki("model", "o/gated", env=self.env())

    def test_the_token_does_not_follow_to_another_host(self):
        self.mekiki("model", "o/moved", env=self.env(HF_TOKEN=TOKEN))
        self.assertEqual(self.hub.seen, [("/o/moved/resolve/main/config.json", f"Bearer {TOKEN}")])
        self.assertEqual(self.other.seen, [("/cdn/good/x?signature=secret", None)])

    def test_the_token_follows_on_the_same_host(self):
        self.mekiki("model", "o/moved-here", env=self.env(HF_TOKEN=TOKEN))
        self.assertEqual([token for _, token in self.hub.seen], [f"Bearer {TOKEN}"] * 2)

    def test_refusals(self):
        cases = [("o/nonesuch", BAD_INPUT, "no such model"), ("o/without-config", BAD_INPUT, "no config.json"),
                 ("o/forbidden", ENVIRONMENT, "403"), ("o/circle", ENVIRONMENT, "redirects more than 5 times"),
                 ("o/to-a-file", ENVIRONMENT, "not safe"), ("o/cut", ENVIRONMENT, "broke off"),
                 ("o/cut-unnoticed", ENVIRONMENT, "no config.json"), ("o/page", ENVIRONMENT, "web page"),
                 ("o/list", ENVIRONMENT, "no config.json"), ("o/huge", ENVIRONMENT, "longer than"),
                 ("o/broken", ENVIRONMENT, "500"), ("o/busy", ENVIRONMENT, "429")]
        for name, code, reason in cases:
            with self.subTest(model=name):
                self.assertIn(reason, self.refused(name, code)["message"])

    def test_an_unsupported_model_is_refused_by_its_type(self):
        error = self.mekiki_error("model", "o/unsupported", code=BAD_INPUT, env=self.env())
        self.assertEqual(error["code"], "unsupported")
        self.assertIn("nonesuch9", error["message"])

    def test_a_slow_hub(self):
        for name in ("o/slow", "o/drip"):
            start = time.monotonic()
            self.assertIn("in time", self.refused(name, HF_HUB_DOWNLOAD_TIMEOUT="0.3")["message"])
            self.assertLess(time.monotonic() - start, 15)  # two runs; without a limit they take 40

    def test_no_network(self):
        error = self.refused("o/good", HF_ENDPOINT="http://127.0.0.1:9")  # the port nobody listens on
        self.assertIn("no connection", error["message"])
        self.assertIn("host is not known", self.refused("o/good", HF_ENDPOINT="http://nonesuch.invalid")["message"])

    def test_variables_that_make_no_sense(self):
        for name, value in (("HF_ENDPOINT", "nonesuch"), ("HF_HUB_DOWNLOAD_TIMEOUT", "soon"), ("HF_TOKEN", "a b")):
            error = self.mekiki_error("model", "o/good", code=BAD_INPUT, env=self.env(**{name: value}))
            self.assertEqual(error["subject"], name)


if __name__ == "__main__":
    unittest.main()
