import { expect, test } from 'vitest'
import { checkOrderId } from './orderId.ts'

test.each(['order 1', 'Bestellung № 7 — café', '注文-7', '🧾 42', '#7', 'x'.repeat(256)])(
  'checkOrderId accepts %s',
  (id) => {
    expect(checkOrderId(id, 'purchaseId')).toBe(id)
  },
)

test.each([
  [undefined, 'is not text'],
  [7, 'is not text'],
  ['', 'is empty'],
  ['x'.repeat(257), 'is longer than 256 characters'],
  [' order', 'white space'],
  ['order\n', 'white space'],
  ['order\u00a0', 'white space'],
  ['order\t1', 'U+0009'],
  ['order\u200b1', 'U+200B'],
  ['order\u00ad1', 'U+00AD'],
  ['\u202eorder', 'U+202E'],
  ['order \ud800', 'U+D800'],
  ['order \u0378', 'U+0378'],
  ['order \u{e0041}', 'U+E0041'],
  ['order\u00a01', 'U+00A0'],
  ['order\u31641', 'U+3164'],
  ['order\ufe0f1', 'U+FE0F'],
  ['order\u28001', 'U+2800'],
  ['order\u034f1', 'U+034F'],
  ['cafe\u0301', 'NFC'],
])('checkOrderId rejects %j', (id, reason) => {
  expect(() => checkOrderId(id, 'purchaseId')).toThrow(
    expect.objectContaining({
      name: 'InvalidOrderIdError',
      field: 'purchaseId',
      shortMessage: expect.stringContaining(reason),
    }),
  )
})
