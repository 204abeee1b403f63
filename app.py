"""The Streamlit entry: the page's settings and its navigation, nothing else."""

import streamlit as st

from components import page

st.set_page_config(page_title="StreamGraph explorer", page_icon="◧", layout="wide")
st.navigation(
    [st.Page(page.show, title="Graphs", url_path="graphs", default=True)], position="hidden"
).run()
