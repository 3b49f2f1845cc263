"""The script that `streamlit run` is given.

Streamlit puts this file's folder on `sys.path`, and nothing else. The modules therefore live in a package
beside it whose name no other distribution has (`veriscite_app`): it imports the same way from a checkout
(`app/`) and from an installed wheel (`veriscite/_app/`).
"""

from veriscite_app.page import show

show()
