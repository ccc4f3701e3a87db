import { encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Abis, Account } from 'viem/tempo'
import { expect, test } from 'vitest'
import type { EvmClient } from '../../evm/client.ts'
import { keychainDigest } from '../signature/tempoSignature.ts'
import { askSignatureVerifier } from './askSignatureVerifier.ts'
import { askAccessKey, getAccessKey } from './getAccessKey.ts'

const root = Account.fromSecp256k1(`0x${'a0'.repeat(32)}`)
const access = Account.fromHeadlessWebAuthn(`0x${'a1'.repeat(32)}`, {
  access: root,
  rpId: 'shop.example',
  origin: 'https://shop.example',
})
const account = root.address
const keyId = privateKeyToAccount(`0x${'a2'.repeat(32)}`).address
const digest: Hex = `0x${'22'.repeat(32)}`

/** The first call that is made. */
async function firstCall(ask: (client: EvmClient) => Promise<unknown>): Promise<string | undefined> {
  const calls: Hex[] = []
  await ask({
    request: async ({ params }) => {
      calls.push((params as [{ data: Hex }])[0].data)
      return '0x'
    },
  })
  return calls[0]?.toLowerCase()
}
const encoded = (abi: readonly unknown[], functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi, functionName, args } as never).toLowerCase()

test('the questions to precompiles are encoded to the letter, as T11 asks for (TIP-1105)', async () => {
  const signature = await access.sign({ hash: digest })
  const inner: Hex = `0x${signature.slice(2 + 2 * 21)}`
  const plain = await root.sign({ hash: digest })
  expect(await firstCall((client) => askSignatureVerifier(client, { account, digest, signature }))).toBe(
    encoded(Abis.signatureVerifier, 'verifyKeychainAdmin', [account, digest, signature]),
  )
  expect(
    await firstCall((client) => askSignatureVerifier(client, { account, digest, signature: plain })),
  ).toBe(encoded(Abis.signatureVerifier, 'verify', [account, digest, plain]))
  expect(await firstCall((client) => askAccessKey(client, { account, digest, signature }))).toBe(
    encoded(Abis.signatureVerifier, 'recover', [keychainDigest({ digest, account }), inner]),
  )
  expect(await firstCall((client) => getAccessKey(client, { account, keyId }))).toBe(
    encoded(Abis.accountKeychain, 'getKey', [account, keyId]),
  )
})
