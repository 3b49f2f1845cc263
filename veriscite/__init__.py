"""VeriScite: does the cited paper say what this manuscript says it says?"""
