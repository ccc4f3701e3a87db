import { createHash } from 'node:crypto'
import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { expect, test } from 'vitest'
import { Keypair } from '../../../../redeemkit/stellar/sdk.ts'
import { isSignedStrictly } from './authorizer.ts'

const keypair = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 7))
const digest = Buffer.alloc(32, 9)

test('accepts only the key’s signature', () => {
  const signature = keypair.sign(digest)
  expect(isSignedStrictly(keypair.publicKey(), digest, signature)).toBe(true)
  expect(isSignedStrictly(keypair.publicKey(), Buffer.alloc(32), signature)).toBe(false)
  expect(isSignedStrictly(keypair.publicKey(), digest, signature.subarray(1))).toBe(false)
})

test('rejects a signature that is valid only under cofactored verification', () => {
  const { Point } = ed25519
  const { scalar, pointBytes: key } = ed25519.utils.getExtendedPublicKey(Buffer.alloc(32, 7))
  const r = 12_345n
  // R + T, where T has order 8.
  const R = Point.BASE.multiply(r)
    .add(Point.fromHex(ED25519_TORSION_SUBGROUP[1] ?? ''))
    .toBytes()
  const h = fromLittleEndian(createHash('sha512').update(R).update(key).update(digest).digest())
  const s = toLittleEndian((r + h * scalar) % Point.Fn.ORDER)
  const signature = Buffer.concat([R, s])
  expect(ed25519.verify(signature, digest, key)).toBe(true)
  expect(isSignedStrictly(keypair.publicKey(), digest, signature)).toBe(false)
})

const fromLittleEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

const toLittleEndian = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
