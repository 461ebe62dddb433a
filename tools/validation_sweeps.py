"""Sections of docs/validation.md over sets of rows that differ in one thing only: the slope of memory over tokens, and the
regret of the layout that would be chosen."""

import statistics

# Columns that say what a figure is or where it stands, not how the run was set up.
LABELS = {"id", "source", "notes", "unit_note", "confidence", "value_kind", "tier", "value_gib", "flops_convention",
          "tokens_per_s_total", "tokens_per_s_per_gpu", "tflops_per_gpu", "mfu_pct", "hfu_pct", "step_time_s",
          "memory_gib"}
TOKENS = {"seq_len", "micro_batch", "max_length_in_batch"}
LAYOUT = {"tp", "pp", "vpp", "cp", "ep", "dp", "micro_batch", "grad_accum", "zero_or_fsdp", "recompute"}
PREDICTED = {"peak_allocated": "allocated_gib", "peak_reserved": "reserved_gib", "nvidia_smi": "device_gib"}
SPAN = 10  # times the rounding of the figures that a sweep must cover


def sets(answer, sources, differ, keep):
    """Rows that agree in every column but those of `differ`."""
    found = {}
    for row in answer["rows"]:
        source = sources[row["id"]]
        if keep(row, source):
            key = tuple((name, text) for name, text in source.items() if name not in differ and name not in LABELS)
            found.setdefault(key, []).append((row, source))
    return [rows for rows in found.values() if len(rows) > 1]


def line(points):
    """(slope, intercept) of the least squares line."""
    mean_x = statistics.fmean(x for x, _ in points)
    mean_y = statistics.fmean(y for _, y in points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread
    return slope, mean_y - slope * mean_x


def tokens_of(source):
    length = source["max_length_in_batch"] or source["seq_len"]
    try:
        return float(length) * float(source["micro_batch"])
    except ValueError:
        return None


def rounding(value_gib):
    whole = float(value_gib)
    return 1.0 if whole == int(whole) else 0.1


def token_sweeps(answer, sources):
    """(group, rows, slope predicted / measured, intercept difference in GiB) of each sweep."""
    def keep(row, source):
        return row.get("measured_gib") is not None and tokens_of(source) is not None and \
            source["metric"] in PREDICTED
    found = []
    for rows in sets(answer, sources, TOKENS, keep):
        measured = [(tokens_of(source), row["measured_gib"]) for row, source in rows]
        predicted = [(tokens_of(source), row["predicted"][PREDICTED[source["metric"]]]) for row, source in rows]
        span = max(y for _, y in measured) - min(y for _, y in measured)
        if len({x for x, _ in measured}) < 2 or span < SPAN * max(rounding(row["measured_gib"]) for row, _ in rows):
            continue
        (slope, start), (own_slope, own_start) = line(measured), line(predicted)
        found.append((rows[0][1]["group"], len(rows), own_slope / slope, own_start - start))
    return found


def sweep_lines(answer, sources, table):
    found = token_sweeps(answer, sources)
    if not found:
        return []
    slope = statistics.median(ratio for _, _, ratio, _ in found)
    start = statistics.median(difference for _, _, _, difference in found)
    rows = [[group, count, f"{ratio:.2f}", f"{difference:+.1f}"] for group, count, ratio, difference in found]
    return ["", "### Memory over tokens", "",
            f"Sets of rows in which only the tokens of a micro-batch differ and the figures span {SPAN} times their "
            f"rounding: {len(found)}. Median of the predicted slope over the measured one {slope:.2f}, of the "
            f"difference of the intercepts {start:+.2f} GiB.", "",
            *table(["group", "rows", "slope, predicted / measured", "intercept, predicted - measured (GiB)"], rows)]


def rate(row, source):
    """Measured and predicted rate in the same unit."""
    compared = row["compared"]
    measured, predicted = row["measured"], row["predicted"][compared]
    return (1.0 / measured, 1.0 / predicted) if compared == "step_time_s" else (measured, predicted)


def regrets(answer, sources):
    """By group: for each set of layouts of one model on one machine, best measured rate over that of our choice."""
    def keep(row, source):
        return row.get("measured") is not None and row.get("compared")
    found = {}
    for rows in sets(answer, sources, LAYOUT, keep):
        rates = [rate(row, source) for row, source in rows]
        chosen = max(rates, key=lambda pair: pair[1])[0]
        found.setdefault(rows[0][1]["group"], []).append(max(measured for measured, _ in rates) / chosen)
    return found


def quantile(values, share):
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def regret_lines(answer, sources, table):
    found = regrets(answer, sources)
    if not found:
        return []
    every = [value for values in found.values() for value in values]
    rows = [[group, len(values), *(f"{quantile(values, share):.3f}" for share in (0.5, 0.9, 1.0))]
            for group, values in [*sorted(found.items()), ("all", every)]]
    return ["", "### Regret", "",
            "Sets of rows that differ in layout, micro-batch or recompute only: the best measured rate over the measured "
            "rate of the row that the prediction would choose. 1 is the best choice.", "",
            *table(["group", "sets", "median", "90th percentile", "worst"], rows)]
