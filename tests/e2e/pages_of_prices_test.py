"""mekiki prices history --html: one page that needs nothing else, whatever texts a price book holds."""

import html.parser
import re
import tempfile
import unittest
from pathlib import Path

import harness

DAY = ("--as-of", "2026-11-20")
VOID = {"meta", "input", "br"}


class Markup(html.parser.HTMLParser):
    """Elements in order, texts, and whether every element is closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts, self.attributes = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.append(data)


class Pages(harness.ProgramTest):
    def page(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.html"
            answer = self.mekiki("prices", "history", *arguments, "--html", file, *DAY)
            self.assertIn("page.html", answer.stderr)
            text = file.read_text(encoding="utf-8")
            return text, Markup(text)

    def test_plot_table_and_nothing_from_elsewhere(self):
        text, markup = self.page("h100-sxm5-80")
        self.assertEqual(markup.elements.count("svg"), 2, "list prices, and those that move by the day")
        self.assertNotIn("script", markup.elements)
        for name, value in markup.attributes:
            self.assertNotIn(name, ("src", "href", "srcset"))
            self.assertFalse(name == "style" or name.startswith("on"), name)
            self.assertNotRegex(value or "", r"https?:")
        self.assertNotRegex(text, r"url\(|@import")
        said = " ".join(markup.texts)
        for part in ("USD per GPU and hour", "aws on_demand", "runpod marketplace", "datareceipts/data-receipts"):
            self.assertIn(part, said)
        listed = self.mekiki_json("prices", "list", "--gpu", "h100-sxm5-80", *DAY)["prices"]
        self.assertEqual(markup.elements.count("tr"), 1 + len([row for row in listed if row["per_hour"]]))

    def test_texts_stay_texts(self):
        bad = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&'
        with tempfile.TemporaryDirectory() as folder:
            book = Path(folder) / "book.csv"
            quoted = '"' + bad.replace('"', '""') + '"'
            book.write_text("provider,sku,gpu_id,gpus,region,kind,price_per_hour,currency,as_of,source\n"
                            f"aws,{quoted},l40s-48,1,{quoted},on_demand,2,USD,2026-11-01,{quoted}\n")
            text, markup = self.page("l40s", "--price-book", book)
        self.assertNotIn("img", markup.elements)
        self.assertNotIn("script", markup.elements)
        self.assertIn(bad, [part for part in markup.texts if "alert" in part][-1])

    def test_japanese_and_calls_of_models(self):
        _, markup = self.page("gpt-5.5", "--of", "api", "--lang", "ja")
        said = " ".join(markup.texts)
        self.assertIn("価格の推移", said)
        self.assertIn("USD / 1M tokens", said)
        self.assertIn(("lang", "ja"), markup.attributes)

    def test_what_cannot_be_plotted_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "page.html"
            self.mekiki_error("prices", "history", "l40s", "--html", file, "--since", "2026-11-19", *DAY,
                              code=harness.BAD_INPUT)
            self.assertFalse(file.exists())
        self.mekiki_error("prices", "history", "l40s", "--html", "/proc/no/page.html", *DAY, code=harness.BAD_INPUT)
        self.assertRegex(self.mekiki("prices", "history", "l40s", *DAY).stdout, re.compile("0 offers"))


if __name__ == "__main__":
    unittest.main()
