/**
 * Builds a Pix code: a BR Code, the EMV merchant-presented QR code of Brazil's central bank.
 *
 * @param options.cents amount in centavos
 * @param options.txid 1 to 25 letters and digits
 */
export function brCode(options: {
  key: string
  cents: number
  txid: string
  name: string
  city: string
}): string {
  const { key, cents, txid, name, city } = options
  const whole = Math.floor(cents / 100)
  const fields: readonly (readonly [id: string, value: string])[] = [
    ['00', '01'],
    ['26', field('00', 'br.gov.bcb.pix') + field('01', key)],
    ['52', '0000'],
    ['53', currencyNumber],
    ['54', `${whole}.${String(cents - whole * 100).padStart(2, '0')}`],
    ['58', 'BR'],
    ['59', plainText(name, 25)],
    ['60', plainText(city, 15)],
    ['62', field('05', txid)],
  ]
  const text = `${fields.map(([id, value]) => field(id, value)).join('')}6304`
  return text + crc16(text)
}

/** The Brazilian real in ISO 4217. */
const currencyNumber = '986'

function field(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, '0')}${value}`
}

/** Converts a text to ASCII without accents, with at least one character. */
function plainText(text: string, length: number): string {
  const plain = text
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, length)
    .trim()
  return plain === '' ? 'SANDBOX' : plain
}

/** Returns the CRC-16/CCITT-FALSE (polynomial 0x1021, initial value 0xffff) as four hex digits. */
function crc16(text: string): string {
  let crc = 0xffff
  for (const character of text) {
    crc ^= character.charCodeAt(0) << 8
    for (let bit = 0; bit < 8; bit++)
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
