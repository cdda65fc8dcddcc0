// libxml2's headers include those of ICU where it was built with it. Foundation brings an ICU of its own, and a program
// that imports both is told, at any other mistake in it, that the two define UErrorCode differently. Nothing here uses
// ICU, and without it only the end of a structure is missing, which is only known by pointer.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/xmlreader.h>
