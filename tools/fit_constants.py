"""The constants of step time that measured rows may move, and how: used by tools/fit_profiles.

Each constant has a textbook value and a spread, the standard deviation of its logarithm before any row was seen. A fit
minimises, over groups of equal weight, the mean of |ln(measured / predicted)| (errors beyond CAP count as CAP) plus what
the constants' own spreads allow. The 1,440 rows of one old stack are never used. A vague
constant follows the rows unless that harms groups that the fit did not see, a well-known one only if it helps them.
"""

import copy
import json
import math
import shutil
import tempfile
from pathlib import Path

CAP = 0.7            # of |ln ratio|: beyond it a row says that something else is wrong
CORNER = 0.04        # below it an error counts squared: the noise between two runs of one setup
SMALLEST_GROUP = 3   # rows, as in the score
VAGUE = 0.3          # spread from which a textbook value says so little that the rows decide
GAIN = 0.02          # percentage points on groups that the fit did not see, for which a constant changes sides
NUDGE = 0.04         # of the logarithm, for the derivatives
PRIOR_WEIGHT = 0.02  # of one squared spread against the mean error of one group
RATES = Path("measured/kernel_rates.json")


class Constant:
    """`paths`: keys in the file of rates; a list of GPU ids means those rows."""

    def __init__(self, name, textbook, spread, key, gpus=None, low=0.0, high=math.inf):
        self.name, self.textbook, self.spread, self.key, self.gpus = name, textbook, spread, key, gpus
        self.low, self.high = low, high

    def rows(self, rates):
        if self.gpus is None:
            return [rates["step_rules"]]
        return [row for row in rates["gpus"] if any(row["gpu_id"].startswith(prefix) for prefix in self.gpus)]

    def get(self, rates):
        return self.rows(rates)[0][self.key]

    def set(self, rates, value):
        for row in self.rows(rates):
            row[self.key] = round(min(max(value, self.low), self.high), 4)


AMPERE = ("a100", "a800", "a10", "a40", "rtxa6000")
ADA = ("l4", "rtx6000ada")
GEFORCE = ("rtx3090", "rtx4090", "rtx5090")
HOPPER = ("h100", "h200", "h20-", "h800", "gh200")
CDNA = ("mi2", "mi3")
EVERY = ("",)

CONSTANTS = [
    Constant("sustained, Ampere", 0.90, 0.07, "sustained", AMPERE, high=1.1),
    Constant("sustained, Ada", 0.90, 0.07, "sustained", ADA, high=1.1),
    Constant("sustained, GeForce", 1.00, 0.07, "sustained", GEFORCE, high=1.1),
    Constant("sustained, Hopper", 0.85, 0.07, "sustained", HOPPER, high=1.1),
    Constant("sustained, CDNA", 0.55, 0.10, "sustained", CDNA, high=1.1),
    Constant("low precision, NVIDIA", 1.15, 0.07, "low_precision",
             (*AMPERE, *ADA, *GEFORCE, *HOPPER, "rtxpro", "b200", "b300", "gb", "t4", "v100"), high=1.5),
    Constant("memory efficiency", 0.80, 0.07, "memory_efficiency", EVERY, high=1.0),
    Constant("attention over serving tables", 0.85, 0.10, "attention", EVERY, high=1.1),
    Constant("software loss per year, Hopper", 0.05, 0.30, "software_loss_per_year", HOPPER, high=0.15),
    Constant("launch scale", 1.0, 0.30, "launch_scale"),
    Constant("kernel start (us)", 4.0, 0.30, "kernel_start_us", high=20.0),
    Constant("overlap slowdown, sharded", 0.35, 0.30, "sharded_overlap_slowdown", high=1.0),
    Constant("overlap slowdown, reduction", 0.15, 0.30, "reduction_overlap_slowdown", high=1.0),
    Constant("overlap slowdown, tensor", 0.15, 0.30, "tensor_overlap_slowdown", high=1.0),
    Constant("network efficiency", 0.80, 0.10, "network_efficiency", high=1.0),
    Constant("stragglers per doubling", 0.007, 0.30, "stragglers_per_doubling", high=0.05),
]


def solve(matrix, vector):
    """Gauss elimination with pivots."""
    size = len(vector)
    rows = [list(row) + [value] for row, value in zip(matrix, vector)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            for k in range(column, size + 1):
                rows[row][k] -= factor * rows[column][k]
    result = [0.0] * size
    for row in reversed(range(size)):
        rest = sum(rows[row][k] * result[k] for k in range(row + 1, size))
        result[row] = (rows[row][size] - rest) / rows[row][row]
    return result


class TimeFit:
    """`predict(folder)` gives {row id: (group, ln(measured time / predicted time))} with the data in `folder` laid over."""

    def __init__(self, rates, predict):
        self.rates, self.predict = rates, predict

    def residuals(self, values):
        rates = copy.deepcopy(self.rates)
        for constant, value in zip(CONSTANTS, values):
            constant.set(rates, value)
        folder = Path(tempfile.mkdtemp())
        try:
            (folder / RATES.parent).mkdir()
            (folder / RATES).write_text(json.dumps(rates), encoding="utf-8")
            return self.predict(folder)
        finally:
            shutil.rmtree(folder)

    def linearised(self, values):
        """Residuals at `values`, and their change with the logarithm of each constant."""
        here = self.residuals(values)
        slopes = []
        for i in range(len(values)):
            moved = list(values)
            moved[i] *= math.exp(NUDGE)
            there = self.residuals(moved)
            slopes.append({row: (there[row][1] - here[row][1]) / NUDGE for row in here if row in there})
        return here, slopes

    @staticmethod
    def step(here, slopes, values, free, left_out=None):
        """Change of the logarithms of the `free` constants that lowers the mean error over groups, by reweighted least
        squares."""
        size = len(free)
        rows = {row: pair for row, pair in here.items() if pair[0] != left_out}
        groups = {}
        for group, _ in rows.values():
            groups[group] = groups.get(group, 0) + 1
        change = [0.0] * size
        for _ in range(20):
            matrix = [[0.0] * size for _ in range(size)]
            vector = [0.0] * size
            for row, (group, residual) in rows.items():
                slope = [slopes[k].get(row, 0.0) for k in free]
                now = residual + sum(s * c for s, c in zip(slope, change))
                if abs(now) > CAP:
                    continue
                weight = 1.0 / max(abs(now), CORNER) / groups[group] / len(groups)
                for i in range(size):
                    vector[i] -= weight * slope[i] * residual
                    for j in range(size):
                        matrix[i][j] += weight * slope[i] * slope[j]
            for i, k in enumerate(free):
                prior = PRIOR_WEIGHT / CONSTANTS[k].spread ** 2 / len(groups)
                matrix[i][i] += prior
                vector[i] -= prior * math.log(values[k] / CONSTANTS[k].textbook)
            change = solve(matrix, vector)
        return [max(-0.5, min(0.5, value)) for value in change]

    def left_out_error(self, here, slopes, values, free):
        """Mean over groups of the error of each group under a fit without it, with residuals taken as straight lines."""
        errors = []
        for group in sorted({group for group, _ in here.values()}):
            change = self.step(here, slopes, values, free, group) if free else []
            of_group = [abs(math.expm1(residual + sum(slopes[k].get(row, 0.0) * c for k, c in zip(free, change))))
                        for row, (owner, residual) in here.items() if owner == group]
            errors.append(sum(of_group) / len(of_group))
        return 100.0 * sum(errors) / len(errors)

    def fit(self):
        """(values, error with textbook values, error of the accepted ones with each group left out). Constants whose
        textbook value is vague follow the rows unless that harms groups left out; the others only if it helps them."""
        values = [constant.textbook for constant in CONSTANTS]
        here, slopes = self.linearised(values)
        here = large_groups(here)
        textbook = self.left_out_error(here, slopes, values, [])
        accepted = [k for k, constant in enumerate(CONSTANTS) if constant.spread >= VAGUE]
        best = self.left_out_error(here, slopes, values, accepted)
        while accepted:
            error, k = min((self.left_out_error(here, slopes, values, [j for j in accepted if j != k]), k)
                           for k in accepted)
            if error > best - GAIN:
                break
            accepted, best = [j for j in accepted if j != k], error
        while True:
            tried = [(self.left_out_error(here, slopes, values, [*accepted, k]), k)
                     for k in range(len(CONSTANTS)) if k not in accepted]
            error, k = min(tried)
            if error > best - GAIN:
                break
            accepted, best = [*accepted, k], error
        for k, delta in zip(accepted, self.step(here, slopes, values, accepted)):
            values[k] *= math.exp(delta)
        return values, textbook, best


def large_groups(residuals):
    counts = {}
    for group, _ in residuals.values():
        counts[group] = counts.get(group, 0) + 1
    return {row: pair for row, pair in residuals.items() if counts[pair[0]] >= SMALLEST_GROUP}
