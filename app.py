"""The Streamlit entry: the page's settings and its navigation, nothing else."""

from pathlib import Path

import streamlit as st

from components import page

ICON = Path(page.__file__).with_name("favicon.svg")

st.set_page_config(page_title="StreamGraph explorer", page_icon=ICON, layout="wide")
st.navigation(
    [st.Page(page.show, title="Graphs", url_path="graphs", default=True)], position="hidden"
).run()
