A="xx"
A="$A$A$A$A"
A="$A$A$A$A"
train.py --model ${A} --x $((8 / ${B:-2})) --y $(expr 1 / 0)
