import { type Address, concatHex, encodeFunctionData, type Hex, pad, slice } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Abis, Account } from 'viem/tempo'
import { describe, expect, test } from 'vitest'
import { verifyAuthMessage } from '../../evm/authMessage/verifyAuthMessage.ts'
import type { EvmClient } from '../../evm/client.ts'
import { type CreditPermit, hashCreditPermit } from '../../evm/creditPermit/creditPermit.ts'
import { signCreditPermit, verifyCreditPermit } from '../../evm/creditPermit/signCreditPermit.ts'
import { evmAdapter } from '../../evm/evmAdapter.ts'
import { bareChain } from '../../evm/signer/bareChain.fixture.ts'
import type { EvmSigner } from '../../evm/signer/toSigner.ts'
import { webCryptoSigner } from '../signer/webCryptoSigner.ts'
import { getAccessKey, judgeAccessKey } from './getAccessKey.ts'
import { keychainDigest } from './tempoSignature.ts'
import { askAccessKey, askSignatureVerifier, tempoSignatures } from './tempoSignatures.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const other = privateKeyToAccount(`0x${'02'.repeat(32)}`)
const onTempo = {
  name: 'Credits',
  version: '1',
  chainId: 4217,
  verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
} as const
const now = () => 1_800_000_000_000
const permit: CreditPermit = {
  customerWallet: account.address,
  creditSeed: 'shop',
  amount: 1n,
  validBefore: 1_800_000_600n,
  nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
}

describe('signCreditPermit with tempoSignatures and a client, for a wallet of another library', () => {
  const digest = hashCreditPermit({ domain: onTempo, permit })
  const sign = (answer: Hex, client: EvmClient = bareChain) => {
    const wallet = { ...account, source: 'custom', signTypedData: async () => answer }
    return signCreditPermit(wallet as EvmSigner, {
      domain: onTempo,
      permit,
      now,
      client,
      signatures: tempoSignatures(),
    })
  }
  const refused = { name: 'WrongSignatureError', field: 'signature' }

  test('verifies a signature by the account’s key with the precompile at address 1, even if it is not canonical', async () => {
    const good = await account.sign({ hash: digest })
    expect(await sign(good)).toBe(good)
    expect(await sign(concatHex([slice(good, 0, 64), good.endsWith('1b') ? '0x00' : '0x01']))).toBe(good)
  })

  test.each<[string, string]>([
    ['one byte', 'de'],
    ['an unknown type byte', '11'.repeat(65)],
    ['Keychain V1', `03${'11'.repeat(85)}`],
    ['an access key inside an access key', `04${'11'.repeat(85)}`],
    ['r and s out of range', `01${'ff'.repeat(129)}`],
    ['no bytes', ''],
  ])("refuses an access key's signature whose inner signature is %s", async (_, inner) => {
    for (const client of [bareChain, gullibleChain])
      await expect(sign(`0x04${account.address.slice(2)}${inner}`, client)).rejects.toMatchObject(refused)
  })

  test("accepts an access key's signature only if the chain knows the key, and only for its own account", async () => {
    const inner = `${'11'.repeat(64)}1b`
    const own: Hex = `0x04${account.address.slice(2)}${inner}`
    expect(await sign(own, gullibleChain)).toBe(own)
    await expect(sign(own)).rejects.toMatchObject(refused)
    await expect(sign(`0x04${other.address.slice(2)}${inner}`, gullibleChain)).rejects.toMatchObject(refused)
  })

  test.each<[string, Parameters<typeof chainWithKey>[0], string | undefined]>([
    ['a second before its expiry', { expiry: '0x6b49d201' }, undefined],
    ['at its expiry', { expiry: '0x6b49d200' }, 'ACCESS_KEY_EXPIRED'],
    ['that was revoked', { revoked: '0x01' }, 'ACCESS_KEY_REVOKED'],
    ['with a spending limit', { limited: '0x01' }, 'ACCESS_KEY_LIMITED'],
    ['limited to some calls', { calls: `0x${'00'.repeat(31)}01${'00'.repeat(32)}` }, 'ACCESS_KEY_LIMITED'],
    ['of another type', { kind: '0x01' }, 'ACCESS_KEY_UNKNOWN'],
    ['with another key id', { keyId: account.address }, 'ACCESS_KEY_UNKNOWN'],
  ])('judgeAccessKey of an access key %s', async (_, key, code) => {
    const asked = { account: account.address, keyId: other.address, kind: 'secp256k1', now } as const
    const check = await judgeAccessKey(chainWithKey(key), asked)
    expect(check).toMatchObject(
      code === undefined ? { valid: true, kind: 'keychain' } : { valid: false, problem: code },
    )
    if (code === 'ACCESS_KEY_LIMITED')
      expect(
        await judgeAccessKey(chainWithKey(key), { ...asked, limitedAccessKeys: 'accept' }),
      ).toMatchObject({ valid: true })
  })

  test('refuses bytes that the precompile would read as a different signature', async () => {
    const good = await account.sign({ hash: digest })
    const shifted = concatHex([`0x${'ab'.repeat(64)}`, pad(slice(good, 64)), slice(good, 0, 64)])
    for (const answer of [shifted, concatHex([shifted, '0xdeadbeef']), concatHex([good, '0x00'])])
      await expect(sign(answer)).rejects.toMatchObject(refused)
  })
})

describe("redeemkit's Tempo signers have a signature scheme", () => {
  const signerOf = async () =>
    webCryptoSigner({
      keyPair: await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']),
    })

  test('with which verifyCreditPermit verifies a permit; without the scheme, it throws', async () => {
    const signer = await signerOf()
    const own = { ...permit, customerWallet: signer.address }
    const signature = await signCreditPermit(signer as EvmSigner, { domain: onTempo, permit: own, now })
    const { signatures } = signer
    expect(await verifyCreditPermit({ domain: onTempo, permit: own, signature, signatures })).toBe(true)
    expect(await verifyCreditPermit({ domain: onTempo, permit, signature, signatures })).toBe(false)
    await expect(verifyCreditPermit({ domain: onTempo, permit: own, signature })).rejects.toMatchObject({
      name: 'SignatureSchemeMissingError',
    })
  })

  test('which asks the chain if there is a client', async () => {
    const signer = await signerOf()
    const own = { ...permit, customerWallet: signer.address }
    await expect(
      signCreditPermit(signer as EvmSigner, { domain: onTempo, permit: own, now, client: bareChain }),
    ).rejects.toMatchObject({ name: 'WrongSignatureError' })
  })

  test('with which evmAdapter verifies the signer’s signature', async () => {
    const signer = await signerOf()
    const adapter = evmAdapter({ signer: signer as EvmSigner, blockchain: 'tempo', environment: 'prod' })
    const signedMessage = await signer.signMessage({ message: 'hello' })
    expect(await adapter.verifyAuthMessage({ message: 'hello' }, { signedMessage })).toBe(true)
    expect(await adapter.verifyAuthMessage({ message: 'hullo' }, { signedMessage })).toBe(false)
  })

  test('which is ignored on chains other than Tempo', async () => {
    const signer = await signerOf()
    const auth = {
      message: 'hello',
      address: signer.address,
      signature: await signer.signMessage({ message: 'hello' }),
      signatures: tempoSignatures(),
    }
    expect(await verifyAuthMessage({ ...auth, chainId: 42431 })).toBe(true)
    for (const chainId of [8453, undefined]) expect(await verifyAuthMessage({ ...auth, chainId })).toBe(false)
  })
})

test('tempoSignatures throws for an invalid webAuthn expectation', () => {
  expect(() => tempoSignatures({ webAuthn: { rpid: 'shop.example' } as never })).toThrow(
    expect.objectContaining({ name: 'InvalidOptionError', field: 'webAuthn.rpid' }),
  )
})

/** A fake Tempo node that accepts every signature, as if a known access key had made it. */
const gullibleChain = chainWithKey({})

function chainWithKey({
  kind = '0x00',
  keyId = other.address,
  expiry = '0xffffffffff',
  limited = '0x00',
  revoked = '0x00',
  calls = `0x${'00'.repeat(96)}`,
}: Partial<Record<'kind' | 'keyId' | 'expiry' | 'limited' | 'revoked' | 'calls', Hex>>): EvmClient {
  return {
    request: async ({ method, params }) => {
      const [call] = params as [{ to: Address; data: Hex }]
      if (method === 'eth_getCode') return '0x'
      if (call.to.startsWith('0x5165')) return pad(other.address)
      if (call.data.startsWith('0x0163e7ec')) return calls
      return concatHex([kind, keyId, expiry, limited, revoked].map((word) => pad(word)))
    },
  }
}

describe('calls to precompiles', () => {
  const root = Account.fromSecp256k1(`0x${'a0'.repeat(32)}`)
  const access = Account.fromHeadlessWebAuthn(`0x${'a1'.repeat(32)}`, {
    access: root,
    rpId: 'shop.example',
    origin: 'https://shop.example',
  })
  const account = root.address
  const keyId = privateKeyToAccount(`0x${'a2'.repeat(32)}`).address
  const digest: Hex = `0x${'22'.repeat(32)}`

  /** Returns the data of the first eth_call that `ask` makes. */
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

  test('have the canonical encoding that hardfork T11 requires (TIP-1105)', async () => {
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
})
