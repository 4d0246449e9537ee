"""The versions that native code was compiled for, as the headers of lxml and libxml2 state them."""

cdef extern from "lxml-version.h":
    const char* LXML_VERSION_STRING

cdef extern from "libxml/xmlversion.h":
    const char* LIBXML_DOTTED_VERSION

LXML = (<bytes>LXML_VERSION_STRING).decode()
LIBXML = (<bytes>LIBXML_DOTTED_VERSION).decode()
