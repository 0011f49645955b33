/**
 * How unlikely a character is in a text of an encoding, in eighths of a nat. The same bytes read as two encodings give two
 * texts: the one that costs less is the likelier, however many characters either has.
 */
export type Costs = Uint8Array

export const candidates = [
  'utf-8',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1252',
  'windows-1251',
  'utf-16le',
  'utf-16be',
] as const
export type Candidate = (typeof candidates)[number]

/** Characters of Chinese by how often they stand in modern texts, traditional ones under their simplified forms. */
// prettier-ignore
const hanByFrequency =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔测试租押元号款甲乙双签订限付房屋费约币违责协议编退支收票额税率账户银股份董监项档案料标准技软硬网络脑器备质检' +
  '验环销售客服采购供商价润预算财审附注请示批复函纪办例细律章室源培训考核绩效福险医疗养失积证姓龄籍贯族历职称址邮深图片照始极热满转周音父夫级跟笑黑红早您离怎令阿京写英花远整快越连谈奇众速根奖容响往包落究节围句功读击乡台居村乎病首华亲持河紧苏严冷段店初吃饭喝茶酒故微怕忽哪除独念够爱妈爸哥弟姐妹爷奶孩朋友春夏秋冬风雨雪云星晚午夜钟秒昨左右旁树木草森林石火土黄绿蓝紫灰粉皮鞋衣裤帽镜床桌椅窗墙楼梯灯厨厕汽车船飞铁站桥街城县省镇沪津渝港澳广州圳江浙徽湖川陕甘青宁蒙古疆藏龙吉辽贵岛谢欢迎虽每须需希楚困答步骤影划善降低增减改创研拓探索践推普宣育组织群党府企团构单集际球域农庭校患药疾症护健康饮食休闲娱乐旅游艺戏剧绘画摄雕塑筑史哲宗温湿压暖寒凉晴阴雷闪'

/** Traditional forms of those above, and what each is a form of. */
// prettier-ignore
const traditional = '並併來係個們備傢傳價兒內兩別則剋創劃劇動務區協卻卽厠厤員唸問喫單噹嚮嚴囌國圍圖團埰報場墻壓夠奬娛媽學寀實寧審寫將對導島師帶幣幷幾廁廚廣張強彆彫後從復愛應懞戰戲戶採擊據攝敎數於時曆曏書會朮東枱條業極構樂樓標樣樹橋機檔檢檯權歡歷氣決沒涼減測準溫溼滬滿潤濕濛為無熱燈爭爲爺爾牀牆獎獨現琱環產産畫畵當療癥發監眞眾睏矇確稅種稱積筆箇節築簽籤糰紀約紅級細組結絡給統經綠網緊緑編縣總績織繪繫纔羣義聲職聽腦臺與華萬著葯藍藝藥蘇處號衆術衕衹裏裡製複褲覈見規親覺觀訂計訓記設許註証試話該認說説談請論謝證識議護讀變讓財貫責貴費資質賬購踐車軍軟轉辦農迴這連週進遊運過達違遠遼還邊郵鄉醫鈡銀銷錶鍾鎭鎮鏡鐘鐵長門閃開閑閒間閤關陝陰隊際險隻雖雙離難雲電鞦響項須預領頭題額類風颱飛飯飲養馬驗驟體髮鬚鵰麪麫麵麼麽黃點黨鼕齡齣龍'
// prettier-ignore
const simplified = '并并来系个们备家传价儿内两别则克创划剧动务区协却即厕历员念问吃单当向严苏国围图团采报场墙压够奖娱妈学采实宁审写将对导岛师带币并几厕厨广张强别雕后从复爱应蒙战戏户采击据摄教数于时历向书会术东台条业极构乐楼标样树桥机档检台权欢历气决没凉减测准温湿沪满润湿蒙为无热灯争为爷尔床墙奖独现雕环产产画画当疗症发监真众困蒙确税种称积笔个节筑签签团纪约红级细组结络给统经绿网紧绿编县总绩织绘系才群义声职听脑台与华万着药蓝艺药苏处号众术同只里里制复裤核见规亲觉观订计训记设许注证试话该认说说谈请论谢证识议护读变让财贯责贵费资质账购践车军软转办农回这连周进游运过达违远辽还边邮乡医钟银销表钟镇镇镜钟铁长门闪开闲闲间合关陕阴队际险只虽双离难云电秋响项须预领头题额类风台飞饭饮养马验骤体发须雕面面面么么黄点党冬龄出龙'

/** Syllables of Korean by how often they stand in texts. */
const hangulByFrequency =
  '이다의는에을고하가지를로은서한도사기대인시아자어일리나있정그들수전제부해으게스구과보상장주원니라공성동만면여우것국조무중비연신생적실금유용방경당선교화관학문오소마간개위모내미안물세회치양말발명식산계요민약반행업결단통두었했습합된할호차터때음진심체재분설등종입출력품격급직본능복건강처초래파트와않없같더되된며까또거져데려저야러히속년월달날씨집밥책길눈손발말글이름외임차보증금갱'

/** Of a character that no list has. */
const rare = 128

function ranks(list: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const character of list) if (!found.has(character)) found.set(character, found.size)
  return found
}

function costOfRank(rank: number): number {
  return rank < 100 ? 42 : rank < 400 ? 52 : 62
}

/** All characters of two bytes in a block of an encoding. */
function block(label: string, leads: [number, number], trails: [number, number]): string {
  const bytes: number[] = []
  for (let lead = leads[0]; lead <= leads[1]; lead += 1) for (let trail = trails[0]; trail <= trails[1]; trail += 1) bytes.push(lead, trail)
  return new TextDecoder(label).decode(Uint8Array.from(bytes))
}

function fill(costs: Costs, from: number, to: number, cost: number): void {
  costs.fill(cost, from, to + 1)
}

function each(costs: Costs, characters: string, cost: (character: string, before: number) => number): void {
  for (const character of characters) {
    const code = character.charCodeAt(0)
    if (character.length === 1 && code >= 128 && code !== 0xfffd) costs[code] = cost(character, costs[code]!)
  }
}

function plain(): Costs {
  const costs = new Uint8Array(0x10000).fill(rare)
  fill(costs, 0, 31, 140)
  fill(costs, 32, 126, 26)
  fill(costs, 127, 159, 150)
  fill(costs, 160, 255, 110)
  for (const code of [9, 10, 13]) costs[code] = 26
  // Halves of a pair: such characters are rare in any text.
  fill(costs, 0xd800, 0xdfff, 80)
  fill(costs, 0xe000, 0xf8ff, 220)
  costs[0xfffd] = 250
  costs[0xfffe] = 250
  costs[0xffff] = 250
  costs[0xfeff] = 60
  return costs
}

const punctuation = '、。，．：；？！“”‘’（）《》〈〉「」『』【】〔〕…—～·　％０１２３４５６７８９￥'
const han = ranks(hanByFrequency)
const hangul = ranks(hangulByFrequency)

function chinese(common: string, traditionalMore: number): Costs {
  const costs = plain()
  fill(costs, 0x3041, 0x30ff, 96)
  each(costs, common, () => 78)
  fill(costs, 0x2460, 0x2473, 72)
  each(costs, punctuation, () => 36)
  for (const [character, rank] of han) costs[character.charCodeAt(0)] = costOfRank(rank)
  for (let index = 0; index < traditional.length; index += 1)
    costs[traditional.charCodeAt(index)] = costOfRank(han.get(simplified.charAt(index))!) + traditionalMore
  return costs
}

function japanese(common: string): Costs {
  const costs = plain()
  each(costs, common, () => 80)
  each(costs, punctuation, () => 40)
  fill(costs, 0x3041, 0x3096, 36)
  fill(costs, 0x30a1, 0x30fc, 42)
  fill(costs, 0xff61, 0xff9f, 62)
  for (const [character, rank] of han) costs[character.charCodeAt(0)] = costOfRank(rank) + 12
  return costs
}

function korean(): Costs {
  const costs = plain()
  fill(costs, 0x4e00, 0x9fff, 108)
  fill(costs, 0x3041, 0x30ff, 108)
  fill(costs, 0xac00, 0xd7a3, 84)
  each(costs, punctuation, () => 44)
  for (const [character, rank] of hangul) costs[character.charCodeAt(0)] = costOfRank(rank)
  return costs
}

/** One byte a letter: an accented letter is likely only among letters, which the competition of two-byte readings decides. */
function western(): Costs {
  const costs = plain()
  fill(costs, 128, 159, 110)
  fill(costs, 0xa0, 0xff, 72)
  each(costs, 'éèàùâêîôûëïüçäöÄÖÜßñáíóú', () => 48)
  each(costs, '‘’“”–—…•€°', () => 46)
  return costs
}

function cyrillic(): Costs {
  const costs = plain()
  fill(costs, 0xa0, 0xff, 88)
  fill(costs, 0x0400, 0x045f, 100)
  fill(costs, 0x0410, 0x042f, 48)
  fill(costs, 0x0430, 0x044f, 28)
  each(costs, '«»—№', () => 48)
  return costs
}

/** Every writing at once, for encodings that have them all. */
function any(parts: readonly Costs[]): Costs {
  return Uint8Array.from({ length: 0x10000 }, (_none, code) => Math.min(...parts.map((costs) => costs[code]!)) + (code < 128 ? 0 : 4))
}

export function makeCosts(): Record<Candidate, Costs> {
  const gb = chinese(block('gb18030', [0xb0, 0xd7], [0xa1, 0xfe]), 24)
  const big5 = chinese(block('big5', [0xa4, 0xc6], [0x40, 0x7e]) + block('big5', [0xa4, 0xc6], [0xa1, 0xfe]), 0)
  const shiftJis = japanese(block('shift_jis', [0x88, 0x97], [0x40, 0x7e]) + block('shift_jis', [0x88, 0x97], [0x80, 0xfc]))
  const eucKr = korean()
  const latin = western()
  const russian = cyrillic()
  const all = any([gb, big5, shiftJis, eucKr, latin, russian])
  return {
    'utf-8': all,
    gb18030: gb,
    big5,
    shift_jis: shiftJis,
    'euc-jp': shiftJis,
    'euc-kr': eucKr,
    'windows-1252': latin,
    'windows-1251': russian,
    'utf-16le': all,
    'utf-16be': all,
  }
}

/** A word of Latin and Cyrillic letters is a Western word with an accent. */
const mixedWord = 60
const loneLetter = 40

function isLatin(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

function isCyrillic(code: number): boolean {
  return code >= 0x400 && code <= 0x45f
}

/** A Cyrillic letter stands among its own: by itself, or in a Latin word, it is an accent read wrongly. */
function oddNeighbours(before: number, after: number): number {
  if (isLatin(before) || isLatin(after)) return mixedWord
  return isCyrillic(before) || isCyrillic(after) ? 0 : loneLetter
}

export function costOfText(text: string, costs: Costs): number {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    sum += costs[code]!
    if (isCyrillic(code)) sum += oddNeighbours(text.charCodeAt(index - 1), text.charCodeAt(index + 1))
  }
  return sum
}

const wordGain = 20
/** A text of Chinese or Japanese that is so short is told by its words: single characters are too few. */
const fewCharacters = 100
const hanWord = /^\p{Script=Han}{2,}$/u

/** What the words in a short text speak for it. */
export function wordsGain(text: string): number {
  if (text.length > fewCharacters || !/[\u4e00-\u9fff]{2}/.test(text)) return 0
  let gain = 0
  for (const { segment } of new Intl.Segmenter('zh', { granularity: 'word' }).segment(text))
    if (hanWord.test(segment)) gain += wordGain * (segment.length - 1)
  return gain
}
