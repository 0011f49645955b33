"""Writes the glyphs that an HTML file needs as a TrueType font, so that a PDF printed from it embeds one small, searchable font.

    python3 subset-font.py SOURCE.html TARGET.ttf        (needs fonttools and Noto Sans CJK)
"""

import sys

from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, newTable

COLLECTION = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"

source, target = sys.argv[1:]
font = next(f for f in TTCollection(COLLECTION).fonts if f["name"].getDebugName(1) == "Noto Sans CJK SC")
options = Options()
options.layout_features = []
options.hinting = False
options.notdef_outline = True
subsetter = Subsetter(options)
subsetter.populate(text=open(source, encoding="utf-8").read())
subsetter.subset(font)

glyphs = {}
outlines = font.getGlyphSet()
for name in font.getGlyphOrder():
    pen = TTGlyphPen(None)
    outlines[name].draw(Cu2QuPen(pen, max_err=1.0, reverse_direction=True))
    glyphs[name] = pen.glyph()

order = font.getGlyphOrder()
font["loca"] = newTable("loca")
font["glyf"] = glyf = newTable("glyf")
glyf.glyphOrder = order
glyf.glyphs = glyphs
for table in ("CFF ", "VORG", "vhea", "vmtx", "GSUB", "GPOS", "GDEF", "BASE"):
    if table in font:
        del font[table]
font["maxp"].tableVersion = 0x00010000
for field in (
    "maxZones maxTwilightPoints maxStorage maxFunctionDefs maxInstructionDefs maxStackElements "
    "maxSizeOfInstructions maxComponentElements maxPoints maxContours maxCompositePoints maxCompositeContours maxComponentDepth"
).split():
    setattr(font["maxp"], field, 1 if field == "maxZones" else 0)
font["post"].formatType = 3.0
font["head"].glyphDataFormat = 0
font.sfntVersion = "\x00\x01\x00\x00"
for record in font["name"].names:
    if record.nameID in (1, 4, 16):
        record.string = "Siku Sample"
    if record.nameID == 6:
        record.string = "SikuSample"
font.save(target)
