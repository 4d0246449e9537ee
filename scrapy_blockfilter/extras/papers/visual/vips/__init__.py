"""VIPS: blocks of a page as a person sees them, by where a browser has shown its elements.

Cai, Yu, Wen, Ma: VIPS: a Vision-based Page Segmentation Algorithm, MSR-TR-2003-79. Rules divide the page from the root
down to blocks (``rules``), the space between these has weights (``separators``), and what only light separators divide
is one block again (``blocks``). Each block has a degree of coherence (DoC) from 1 to 10, and is divided further as long
as this is below the permitted one (PDoC).
"""
