import { type Hex, pad, parseSignature, serializeErc6492Signature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { creditPermitTypedData } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import { signCreditPermit } from '../../../redeemkit/evm/creditPermit/signCreditPermit.ts'
import type { EvmSigner } from '../../../redeemkit/evm/signer/toSigner.ts'
import {
  type UsdcAuthorization,
  type UsdcAuthorizationType,
  usdcAuthorizationTypedData,
} from '../../../redeemkit/evm/usdcAuthorization/usdcAuthorization.ts'
import type { SignedMessages } from '../../../redeemkit/schema/redeem.ts'
import { webCryptoSigner } from '../../../redeemkit/tempo/signer/webCryptoSigner.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { usdcMethods } from '../../simulation/redeemRequest.ts'
import { checkFactories, checkSignatures } from './checkSignatures.ts'

const chainId = 84532
const creditsContract: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const stranger: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const alice = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const bob = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const nonce: Hex = `0x${'8f'.repeat(32)}`
const domain = { name: 'Credits', version: '1', chainId, verifyingContract: creditsContract }
const permit = {
  customerWallet: alice.address,
  creditSeed: 'shop',
  amount: 6_030_000n,
  validBefore: 1_800_000_000n,
  nonce,
}
const authorization: UsdcAuthorization = {
  from: alice.address,
  to: creditsContract,
  value: 4_000_000n,
  validAfter: 0n,
  validBefore: permit.validBefore,
  nonce,
}
/** A chain whose wallet contracts accept every signature. It is not called for a wallet without code. */
const chainWith = (code: Hex, factories: readonly Hex[] = []) =>
  ({
    chainId,
    creditsContract,
    walletFactories: new Set(factories),
    client: {
      request: async ({ method }: { method: string }) => {
        if (method === 'eth_getCode') return code
        if (method === 'eth_call') return `0x1626ba7e${'0'.repeat(56)}`
        throw new Error(`The fake node has no ${method}.`)
      },
    },
  }) as unknown as EvmChain // no other function is used
const signPermit = (by = alice) => by.signTypedData(creditPermitTypedData({ domain, permit }))
const signUsdc = (type: UsdcAuthorizationType = 'ReceiveWithAuthorization', by = alice) =>
  by.signTypedData(usdcAuthorizationTypedData({ chainId, type, authorization }))
const texts = {
  ...authorization,
  value: `${authorization.value}`,
  validAfter: '0',
  validBefore: `${authorization.validBefore}`,
}
const v1 = (signature: Hex, change: object = {}): SignedMessages['customerUsdcAuthData'] => {
  const { r, s, v } = parseSignature(signature)
  return { ...texts, ...change, v: Number(v), r, s }
}
const v2 = (signature: Hex, change: object = {}): SignedMessages['customerUsdcAuthDataV2'] => ({
  ...texts,
  ...change,
  signature,
})
const check = async (
  messages: Partial<SignedMessages>,
  options: Partial<checkSignatures.Options> & { code?: Hex; chainId?: number } = {},
) => {
  const { code = '0x', chainId: on = chainId, ...rest } = options
  return checkSignatures(
    { ...chainWith(code), chainId: on },
    {
      domain,
      permit,
      signedMessages: { permitCredits: await signPermit(), ...messages },
      usdcAmount: authorization.value,
      hasCode: code !== '0x',
      receiveOnly: true,
      ...rest,
    },
  )
}

describe('the permit', () => {
  test('signed by the wallet’s key is accepted, and needs no authorization if no USDC is taken', async () => {
    expect(await check({}, { usdcAmount: 0n })).toEqual({
      permitSignature: await signPermit(),
      usdcAuthorization: undefined,
      deployment: undefined,
    })
  })

  test('signed by another key or for other values is rejected', async () => {
    const refused = { code: 'INVALID_PERMIT' }
    await expect(check({ permitCredits: await signPermit(bob) }, { usdcAmount: 0n })).rejects.toMatchObject(
      refused,
    )
    for (const change of [
      { amount: permit.amount + 1n },
      { validBefore: permit.validBefore + 1n },
      { nonce: `0x${'8e'.repeat(32)}` as Hex },
      { creditSeed: 'other' },
    ])
      await expect(check({}, { usdcAmount: 0n, permit: { ...permit, ...change } })).rejects.toMatchObject(
        refused,
      )
  })

  test.each<[string, Hex]>([
    ['with an invalid ERC-6492 wrapper', `0x1234${'6492'.repeat(16)}`],
    ['with a signature that no key can make', '0x1234'],
    ['with a contract’s signature from a wallet without code', `0x${'ab'.repeat(70)}`],
  ])('%s is rejected', async (_, permitCredits) => {
    await expect(check({ permitCredits }, { usdcAmount: 0n })).rejects.toMatchObject({
      code: 'INVALID_PERMIT',
    })
  })

  test('signed by a P-256 key is submitted unchanged on Tempo and rejected on other chains', async () => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
    const keyPair = await crypto.subtle.generateKey(algorithm, false, ['sign'])
    const signer = await webCryptoSigner({ keyPair })
    const own = { ...permit, customerWallet: signer.address }
    const onTempo = { ...domain, chainId: 4217 }
    const permitCredits = await signCreditPermit(signer as EvmSigner, {
      domain: onTempo,
      permit: own,
      now: () => 1_799_999_000_000,
    })
    const options = { domain: onTempo, permit: own, usdcAmount: 0n }
    expect(await check({ permitCredits }, { ...options, chainId: 4217 })).toMatchObject({
      permitSignature: permitCredits,
    })
    await expect(check({ permitCredits }, options)).rejects.toMatchObject({ code: 'INVALID_PERMIT' })
    const key = await alice.signTypedData(creditPermitTypedData({ domain: onTempo, permit }))
    // Every encoding is accepted, as on other chains.
    const recovery = Number.parseInt(key.slice(-2), 16) - 27
    for (const spelled of [key, `${key.slice(0, -2)}0${recovery}` as Hex])
      expect(await check({ permitCredits: spelled }, { ...options, permit, chainId: 4217 })).toMatchObject({
        permitSignature: key,
      })
  })
})

describe('the USDC authorization', () => {
  test.each([
    ['V1', usdcMethods.receiveV1, v1, 'customerUsdcAuthData'],
    ['V2', usdcMethods.receiveV2, v2, 'customerUsdcAuthDataV2'],
  ] as const)('by a key is collected with the method for %s', async (_, method, write, field) => {
    const signature = await signUsdc()
    expect(await check({ [field]: write(signature) })).toMatchObject({
      usdcAuthorization: { method, signature },
    })
  })

  test('is required if the payment has a USDC part', async () => {
    await expect(check({})).rejects.toMatchObject({ code: 'INVALID_USDC_AUTHORIZATION' })
  })

  test.each([
    ['from', stranger],
    ['to', stranger],
    ['value', '4000001'],
    ['value', '3999999'],
    ['validAfter', '1'],
    ['validBefore', '1800000001'],
    ['nonce', `0x${'8e'.repeat(32)}`],
  ])('with a different %s is rejected, and the error names the field', async (field, value) => {
    const signature = await signUsdc()
    for (const messages of [
      { customerUsdcAuthData: v1(signature, { [field]: value }) },
      { customerUsdcAuthDataV2: v2(signature, { [field]: value }) },
    ])
      await expect(check(messages)).rejects.toMatchObject({
        code: 'INVALID_USDC_AUTHORIZATION',
        details: { field },
      })
  })

  test('in an encoding that USDC rejects is converted to an accepted one', async () => {
    const signature = await signUsdc()
    const { r, s, yParity } = parseSignature(signature)
    const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const high: Hex = `0x${(curveOrder - BigInt(s)).toString(16).padStart(64, '0')}`
    const customerUsdcAuthData = { ...texts, r, s: high, v: 28 - yParity }
    expect(await check({ customerUsdcAuthData })).toMatchObject({
      usdcAuthorization: { method: usdcMethods.receiveV1, signature },
    })
  })

  test.each<[string, () => Promise<Partial<SignedMessages>>]>([
    [
      'no key can have made its signature',
      async () => ({ customerUsdcAuthData: { ...v1(await signUsdc()), r: pad('0x') } as never }),
    ],
    [
      'its ERC-6492 wrapper is invalid',
      async () => ({ customerUsdcAuthDataV2: v2(`0x1234${'6492'.repeat(16)}`) }),
    ],
  ])('is rejected if %s', async (why, messages) => {
    await expect(check(await messages())).rejects.toMatchObject({
      code: 'INVALID_USDC_AUTHORIZATION',
      message: `The USDC authorization was rejected: ${why}.`,
    })
  })

  test('signed by another key is rejected', async () => {
    const signature = await signUsdc('ReceiveWithAuthorization', bob)
    await expect(check({ customerUsdcAuthDataV2: v2(signature) })).rejects.toMatchObject({
      code: 'INVALID_USDC_AUTHORIZATION',
    })
  })

  test('of the type that anyone can execute is accepted only by a service with random nonces', async () => {
    const signature = await signUsdc('TransferWithAuthorization')
    const messages = { customerUsdcAuthData: v1(signature) }
    await expect(check(messages)).rejects.toMatchObject({
      code: 'INVALID_USDC_AUTHORIZATION',
      message: expect.stringContaining('ReceiveWithAuthorization'),
    })
    expect(await check(messages, { receiveOnly: false })).toMatchObject({
      usdcAuthorization: { method: usdcMethods.transferV1 },
    })
    expect(await check({ customerUsdcAuthDataV2: v2(signature) }, { receiveOnly: false })).toMatchObject({
      usdcAuthorization: { method: usdcMethods.transferV2 },
    })
  })
})

describe('a wallet with code', () => {
  const permitCredits: Hex = `0x${'ab'.repeat(70)}`

  test('may have a signature of any bytes, which are submitted unchanged', async () => {
    const signature: Hex = `0x${'cd'.repeat(90)}`
    expect(await check({ permitCredits, customerUsdcAuthDataV2: v2(signature) }, { code: '0x60' })).toEqual({
      permitSignature: permitCredits,
      usdcAuthorization: { method: usdcMethods.receiveV2, signature },
      deployment: undefined,
    })
  })

  test('is not deployed again, although its signature names a factory', async () => {
    const wrapped = serializeErc6492Signature({ address: stranger, data: '0x12', signature: permitCredits })
    expect(await check({ permitCredits: wrapped }, { code: '0x60', usdcAmount: 0n })).toEqual({
      permitSignature: permitCredits,
      usdcAuthorization: undefined,
      deployment: undefined,
    })
  })

  test('cannot pay with V1, because USDC would check a key that may no longer own the wallet', async () => {
    const customerUsdcAuthData = v1(await signUsdc())
    await expect(check({ permitCredits, customerUsdcAuthData }, { code: '0x60' })).rejects.toMatchObject({
      code: 'INVALID_USDC_AUTHORIZATION',
      message: expect.stringContaining('customerUsdcAuthDataV2'),
    })
  })

  test('cannot pay with V1 before it is deployed', async () => {
    const wrapped = serializeErc6492Signature({ address: stranger, data: '0x12', signature: permitCredits })
    const customerUsdcAuthData = v1(await signUsdc())
    await expect(check({ permitCredits: wrapped, customerUsdcAuthData })).rejects.toMatchObject({
      message: expect.stringContaining('customerUsdcAuthDataV2'),
    })
    expect(await check({ permitCredits: wrapped }, { usdcAmount: 0n })).toMatchObject({
      permitSignature: permitCredits,
      deployment: { factory: stranger, data: '0x12' },
    })
  })
})

describe('the factory of an undeployed wallet', () => {
  const signed = [{ signature: '0x12', deployment: { factory: stranger, data: '0x' } }] as const

  test('must be on the service’s list', async () => {
    await expect(checkFactories(chainWith('0x'), alice.address, signed)).rejects.toMatchObject({
      code: 'FACTORY_NOT_ALLOWED',
      details: { factory: stranger },
    })
    await checkFactories(chainWith('0x', [stranger]), alice.address, signed)
  })

  test('is not checked once the wallet is deployed', async () => {
    await checkFactories(chainWith('0x60'), alice.address, signed)
  })
})
