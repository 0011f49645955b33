/**
 * Units as data. A factor is exact: how many of the dimension's base unit one of it is, as a decimal or a fraction.
 *
 * Sources: SI Brochure, 9th edition (BIPM 2019): SI units, prefixes, litre, tonne, minute to day, degree, electronvolt (exact
 * since 2019), bar; NIST Special Publication 811 (2008), appendix B, and NIST Handbook 44, appendix C: international and US
 * customary units, horsepower, calorie (thermochemical), Btu (IT), atmosphere, torr, psi; UK Weights and Measures Act 1985:
 * imperial gallon and its parts; IEC 80000-13: binary prefixes; State Council of China 1959 and 1984, on metric market units:
 * 市尺 = 1/3 m, 市斤 = 500 g = 10 市两, 市里 = 500 m, 市亩 = 2000/3 m². A year and a month are the Gregorian calendar's mean.
 */

/** Powers of length, mass, time, temperature, data, angle, fuel use. */
export type Dimensions = readonly [number, number, number, number, number, number, number]

export interface UnitRow {
  dimension: DimensionName
  /** In its base unit. */
  factor: string
  /** The first is how it is shown. */
  names: string
  /** Of its zero: what is added to its value before the factor. */
  offset?: string
  /** Its value is the factor divided by the base unit's. */
  reciprocal?: true
}

/** Each with its base unit in the comment. */
export const dimensions = {
  /** m */
  length: [1, 0, 0, 0, 0, 0, 0],
  /** kg */
  mass: [0, 1, 0, 0, 0, 0, 0],
  /** s */
  time: [0, 0, 1, 0, 0, 0, 0],
  /** K */
  temperature: [0, 0, 0, 1, 0, 0, 0],
  /** bit */
  data: [0, 0, 0, 0, 1, 0, 0],
  /** rad */
  angle: [0, 0, 0, 0, 0, 1, 0],
  /** L/100km */
  fuel: [0, 0, 0, 0, 0, 0, 1],
  /** m² */
  area: [2, 0, 0, 0, 0, 0, 0],
  /** m³ */
  volume: [3, 0, 0, 0, 0, 0, 0],
  /** m/s */
  speed: [1, 0, -1, 0, 0, 0, 0],
  /** N */
  force: [1, 1, -2, 0, 0, 0, 0],
  /** J */
  energy: [2, 1, -2, 0, 0, 0, 0],
  /** W */
  power: [2, 1, -3, 0, 0, 0, 0],
  /** Pa */
  pressure: [-1, 1, -2, 0, 0, 0, 0],
  /** Hz */
  frequency: [0, 0, -1, 0, 0, 0, 0],
  /** bit/s */
  'data rate': [0, 0, -1, 0, 1, 0, 0],
} as const satisfies Record<string, Dimensions>
export type DimensionName = keyof typeof dimensions

type Short = [factor: string, names: string]

function rows(dimension: DimensionName, list: Short[]): UnitRow[] {
  return list.map(([factor, names]) => ({ dimension, factor, names }))
}

export const unitRows: UnitRow[] = [
  ...rows('length', [
    ['1', 'm metre meter metres 米 公尺'],
    ['1000', 'km kilometre kilometer 千米 公里'],
    ['0.1', 'dm decimetre decimeter 分米'],
    ['0.01', 'cm centimetre centimeter 厘米 公分'],
    ['0.001', 'mm millimetre millimeter 毫米'],
    ['0.000001', 'μm um micron micrometre micrometer 微米'],
    ['0.000000001', 'nm nanometre nanometer 纳米'],
    ['0.0254', 'in inch inches 英寸'],
    ['0.3048', 'ft foot feet 英尺'],
    ['0.9144', 'yd yard 码'],
    ['1609.344', 'mi mile 英里'],
    ['1852', 'nmi nautical_mile 海里'],
    ['149597870700', 'au astronomical_unit 天文单位'],
    ['9460730472580800', 'ly light_year 光年'],
    ['500', '里 市里 华里 li'],
    ['10/3', '丈 市丈 zhang'],
    ['1/3', '尺 市尺 chi'],
    ['1/30', '寸 市寸 cun'],
  ]),
  ...rows('mass', [
    ['1', 'kg kilogram kilogramme 千克 公斤'],
    ['0.001', 'g gram gramme 克'],
    ['0.000001', 'mg milligram 毫克'],
    ['0.000000001', 'μg ug mcg microgram 微克'],
    ['1000', 't tonne metric_ton 吨 公吨'],
    ['0.45359237', 'lb lbs pound 磅'],
    ['0.028349523125', 'oz ounce 盎司'],
    ['6.35029318', 'st stone 英石'],
    ['907.18474', 'short_ton us_ton 短吨'],
    ['1016.0469088', 'long_ton 长吨'],
    ['0.0311034768', 'ozt troy_ounce 金衡盎司'],
    ['0.0002', 'ct carat 克拉'],
    ['0.5', '斤 市斤 jin catty'],
    ['0.05', '两 市两 liang tael'],
    ['0.005', '钱 市钱 qian'],
    ['50', '担 市担 dan'],
  ]),
  ...rows('time', [
    ['1', 's sec second 秒 秒钟'],
    ['60', 'min minute 分钟'],
    ['3600', 'h hr hour 小时 钟头'],
    ['86400', 'd day 天 日'],
    ['604800', 'week wk 周 星期'],
    ['2629746', 'month 个月'],
    ['31556952', 'year yr 年'],
    ['0.001', 'ms millisecond 毫秒'],
    ['0.000001', 'μs us microsecond 微秒'],
    ['0.000000001', 'ns nanosecond 纳秒'],
  ]),
  { dimension: 'temperature', factor: '1', names: 'K kelvin 开尔文 开' },
  { dimension: 'temperature', factor: '1', offset: '273.15', names: '°C C celsius degC 摄氏度 度' },
  { dimension: 'temperature', factor: '5/9', offset: '459.67', names: '°F F fahrenheit degF 华氏度' },
  { dimension: 'temperature', factor: '5/9', names: '°R rankine 兰氏度' },
  ...rows('data', [
    ['1', 'bit b 比特'],
    ['1000', 'kbit Kb kilobit'],
    ['1000000', 'Mbit Mb megabit'],
    ['1000000000', 'Gbit Gb gigabit'],
    ['8', 'B byte 字节'],
    ['8000', 'kB KB kilobyte 千字节'],
    ['8000000', 'MB megabyte 兆字节 兆'],
    ['8000000000', 'GB gigabyte 吉字节'],
    ['8000000000000', 'TB terabyte 太字节'],
    ['8000000000000000', 'PB petabyte 拍字节'],
    ['8192', 'KiB kibibyte'],
    ['8388608', 'MiB mebibyte'],
    ['8589934592', 'GiB gibibyte'],
    ['8796093022208', 'TiB tebibyte'],
    ['9007199254740992', 'PiB pebibyte'],
  ]),
  ...rows('angle', [
    ['1', 'rad radian 弧度'],
    ['pi/180', '° deg degree 角度'],
    ['pi/10800', 'arcmin arcminute 角分'],
    ['pi/648000', 'arcsec arcsecond 角秒'],
    ['pi/200', 'gon grad gradian'],
    ['pi*2', 'turn revolution rev 圈'],
  ]),
  { dimension: 'fuel', factor: '1', names: 'L/100km l/100km litres_per_100_km liters_per_100_km 升/百公里 百公里升' },
  { dimension: 'fuel', factor: '100', reciprocal: true, names: 'km/L km/l kmpl 公里/升' },
  // 100 × gallon in litres ÷ mile in kilometres.
  { dimension: 'fuel', factor: '378.5411784/1.609344', reciprocal: true, names: 'mpg mpg_us miles_per_gallon' },
  { dimension: 'fuel', factor: '454.609/1.609344', reciprocal: true, names: 'mpg_uk mpg_imp' },
  ...rows('area', [
    ['1', 'm² sqm square_metre square_meter 平方米 平米'],
    ['1000000', 'km² sqkm square_kilometre square_kilometer 平方千米 平方公里'],
    ['0.0001', 'cm² sqcm square_centimetre square_centimeter 平方厘米'],
    ['0.000001', 'mm² square_millimetre square_millimeter 平方毫米'],
    ['10000', 'ha hectare 公顷'],
    ['100', 'are 公亩'],
    ['4046.8564224', 'ac acre 英亩'],
    ['0.09290304', 'ft² sqft square_foot square_feet 平方英尺'],
    ['0.00064516', 'in² sqin square_inch square_inches 平方英寸'],
    ['0.83612736', 'yd² sqyd square_yard 平方码'],
    ['2589988.110336', 'mi² sqmi square_mile 平方英里'],
    ['2000/3', '亩 市亩 mu'],
    ['200000/3', '顷 市顷'],
    ['1/9', '平方尺 平方市尺'],
  ]),
  ...rows('volume', [
    ['1', 'm³ cubic_metre cubic_meter 立方米 立方'],
    ['0.001', 'L l litre liter dm³ 升 公升 立方分米'],
    ['0.000001', 'mL ml cc cm³ millilitre milliliter cubic_centimetre cubic_centimeter 毫升 立方厘米'],
    ['0.00001', 'cL cl centilitre centiliter 厘升'],
    ['0.0001', 'dL dl decilitre deciliter 分升'],
    ['0.000000001', 'mm³ μL ul microlitre microliter 微升 立方毫米'],
    ['1000000000', 'km³ cubic_kilometre cubic_kilometer 立方千米'],
    ['0.003785411784', 'gal gallon us_gallon 加仑 美制加仑'],
    ['0.000946352946', 'qt quart 夸脱'],
    ['0.000473176473', 'pt pint 品脱'],
    ['0.0002365882365', 'cup 杯'],
    ['0.0000295735295625', 'fl_oz floz fluid_ounce 液量盎司'],
    ['0.00001478676478125', 'tbsp tablespoon 汤匙'],
    ['0.00000492892159375', 'tsp teaspoon 茶匙'],
    ['0.00454609', 'gal_uk imperial_gallon uk_gallon 英制加仑'],
    ['0.00056826125', 'pt_uk imperial_pint uk_pint 英制品脱'],
    ['0.0000284130625', 'fl_oz_uk imperial_fluid_ounce'],
    ['0.158987294928', 'bbl oil_barrel barrel 桶'],
    ['0.028316846592', 'ft³ cubic_foot cubic_feet 立方英尺'],
    ['0.000016387064', 'in³ cubic_inch cubic_inches 立方英寸'],
  ]),
  ...rows('speed', [
    ['1', 'm/s mps 米/秒 米每秒'],
    ['1/3.6', 'km/h kmh kph 公里/小时 千米/小时 公里每小时 千米每小时'],
    ['0.44704', 'mph mi/h 英里/小时'],
    ['1852/3600', 'kn knot kt 节'],
    ['0.3048', 'ft/s fps'],
    ['299792458', 'speed_of_light 光速'],
  ]),
  ...rows('force', [
    ['1', 'N newton 牛 牛顿'],
    ['1000', 'kN kilonewton 千牛'],
    ['9.80665', 'kgf kilogram_force 千克力 公斤力'],
    ['4.4482216152605', 'lbf pound_force 磅力'],
  ]),
  ...rows('energy', [
    ['1', 'J joule 焦 焦耳'],
    ['1000', 'kJ kilojoule 千焦'],
    ['1000000', 'MJ megajoule 兆焦'],
    ['4.184', 'cal calorie 卡 卡路里'],
    ['4184', 'kcal Cal kilocalorie 千卡 大卡'],
    ['3600', 'Wh watt_hour 瓦时'],
    ['3600000', 'kWh kilowatt_hour 千瓦时 度电'],
    ['3600000000', 'MWh megawatt_hour 兆瓦时'],
    ['1055.05585262', 'Btu BTU british_thermal_unit 英热单位'],
    ['105505585.262', 'therm'],
    ['0.0000000000000000001602176634', 'eV electronvolt 电子伏特'],
    ['1.3558179483314004', 'ft_lbf foot_pound'],
  ]),
  ...rows('power', [
    ['1', 'W watt 瓦 瓦特'],
    ['0.001', 'mW milliwatt 毫瓦'],
    ['1000', 'kW kilowatt 千瓦'],
    ['1000000', 'MW megawatt 兆瓦'],
    ['1000000000', 'GW gigawatt 吉瓦'],
    ['745.69987158227022', 'hp horsepower 英制马力'],
    ['735.49875', 'PS metric_horsepower 马力 公制马力'],
  ]),
  ...rows('pressure', [
    ['1', 'Pa pascal 帕 帕斯卡'],
    ['100', 'hPa hectopascal mbar millibar 百帕 毫巴'],
    ['1000', 'kPa kilopascal 千帕'],
    ['1000000', 'MPa megapascal 兆帕'],
    ['100000', 'bar 巴'],
    ['101325', 'atm atmosphere 标准大气压 大气压'],
    ['101325/760', 'Torr torr 托'],
    ['133.322387415', 'mmHg millimetre_of_mercury 毫米汞柱'],
    ['3386.389', 'inHg inch_of_mercury 英寸汞柱'],
    // 4.4482216152605 N ÷ 0.00064516 m².
    ['4.4482216152605/0.00064516', 'psi pounds_per_square_inch'],
  ]),
  ...rows('frequency', [
    ['1', 'Hz hertz 赫兹 赫'],
    ['1000', 'kHz kilohertz 千赫'],
    ['1000000', 'MHz megahertz 兆赫'],
    ['1000000000', 'GHz gigahertz 吉赫'],
    ['1/60', 'rpm 转/分'],
  ]),
  ...rows('data rate', [
    ['1', 'bit/s bps'],
    ['1000', 'kbit/s kbps'],
    ['1000000', 'Mbit/s Mbps Mb/s'],
    ['1000000000', 'Gbit/s Gbps Gb/s'],
    ['8000000', 'MB/s MBps'],
    ['8000000000', 'GB/s GBps'],
  ]),
]
