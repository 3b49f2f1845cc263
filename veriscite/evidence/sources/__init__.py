"""Sources on the network, one file each: what they are asked, and how their answers become records.

`finder` is what they have in common; `source` makes evidence of what any of them finds.
"""
