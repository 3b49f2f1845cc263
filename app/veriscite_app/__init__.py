"""VeriScite in the browser: shows events and reports, and asks; it decides nothing by itself."""
