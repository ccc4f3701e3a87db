import { encodeAbiParameters, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { hashAbiEncoded } from './typedData.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bytes32 = `0x${'ab'.repeat(32)}`
const most = 2n ** 256n - 1n

test('hashAbiEncoded gives the same hash as another library', () => {
  const types = ['address', 'bytes32', 'bool', 'bool', 'uint8', 'uint8', 'uint256', 'uint256'] as const
  const values = [address, bytes32, true, false, 255, 0n, most, 7]
  const encoded = encodeAbiParameters(
    types.map((type) => ({ type })),
    values as never,
  ) // one value for each type
  expect(hashAbiEncoded(types.join(' '), values)).toBe(keccak256(encoded))
})

test.each<[string, unknown]>([
  ['bool', 1],
  ['bool', undefined],
  ['address', address.slice(0, -2)],
  ['address', `${address}00`],
  ['address', `1x${address.slice(2)}`],
  ['address', BigInt(address)],
  ['bytes32', address],
  ['bytes32', `0x${'g'.repeat(64)}`],
  ['bytes32', `${bytes32.slice(0, -1)}\n`],
  ['bytes32', [...bytes32]],
  ['uint8', 256],
  ['uint8', -1],
  ['uint8', 1.5],
  ['uint8', '1'],
  ['uint256', most + 1n],
  ['uint256', -1n],
  ['uint256', 2 ** 53],
])('hashAbiEncoded refuses an invalid %s: %o', (type, value) => {
  expect(() => hashAbiEncoded(type, [value])).toThrow(`is not a value of the type ${type}`)
})
