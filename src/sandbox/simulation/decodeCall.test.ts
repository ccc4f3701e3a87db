import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  getAbiItem,
  type Hex,
  parseAbi,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { redeemIntentNonce, settlementHash } from '../../redeemkit/evm/creditPermit/redeemIntentNonce.ts'
import { settlementOf } from '../../redeemkit/evm/transactionData/settlementOf.ts'
import type { TransactionData } from '../../redeemkit/schema/transactionData.ts'
import { decodeCall, decodeData } from './decodeCall.ts'
import { type RedeemRequest, redeemRequest, usdcMethods } from './redeemRequest.ts'

const customerWallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const shop = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const buyAbi = parseAbi(['function buy(address receiver, uint256 price)', 'error SoldOut(uint256 limit)'])
const data = encodeFunctionData({ abi: buyAbi, functionName: 'buy', args: [customerWallet, 10_000_000n] })
const normal = { transaction: { to: shop, data } } satisfies TransactionData
const now = () => 1_800_000_000_000

function request(
  transactionData: TransactionData = normal,
  changes: Partial<RedeemRequest> = {},
): RedeemRequest {
  const intent = { amount: 10_000_000n, usdcAmount: 4_000_000n, salt: `0x${'11'.repeat(32)}` } as const
  const nonce = redeemIntentNonce({
    orderKey: '0xcff8661c04b781a2804ce2e8',
    customerWallet,
    settlementHash: settlementHash(transactionData, { bridgeAdapter: shop }),
    ...intent,
  })
  return {
    ...redeemRequest({
      permit: {
        customerWallet,
        creditSeed: 'my-shop',
        amount: 6_030_000n,
        validBefore: 1_800_000_600n,
        nonce,
      },
      signature: `0x${'ab'.repeat(65)}`,
      salt: intent.salt,
      intent: { ...intent, settlement: settlementOf(transactionData) },
      usdcAuthorization: { method: usdcMethods.receiveV2, signature: '0xcd' },
      gasFee: 30_000n,
    }),
    ...changes,
  }
}

const redeemData = (...args: Parameters<typeof request>) =>
  encodeFunctionData({ abi: creditsAbi, functionName: 'redeem', args: [request(...args)] })

describe('decodes a redeem', () => {
  test('as text', () => {
    expect(decodeCall(redeemData(), { abis: [buyAbi], now })?.texts).toEqual([
      `Redeems 10.00 USD for ${customerWallet}, credit seed "my-shop", type normal.`,
      `Calls ${shop}: buy(address receiver = ${customerWallet}, uint256 price = 10000000).`,
      "Charges 6.03 USD to credits, 0.03 USD of it for gas; the permit allows 6.03 USD. 4.00 USD comes from the customer's USDC (ReceiveWithAuthorization, bytes).",
      `The permit is valid until 2027-01-15 08:10:00 UTC (in 10 minutes); its signature has 65 bytes. Its nonce ${request().permit.nonce} commits to exactly this redeem.`,
    ])
  })

  test('as fields', () => {
    expect(decodeCall(redeemData(), { now })).toMatchObject({
      name: 'redeem',
      redeems: [
        {
          shape: 'normal',
          charged: 6_030_000n,
          nonceIs: 'of this redeem',
          target: shop,
          usdcMethod: 'receiveV2',
        },
      ],
    })
  })

  test('that is unsigned', () => {
    const said = decodeCall(redeemData(), { now })
    const shown = JSON.stringify(said, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
    expect(shown).not.toContain('ab'.repeat(20))
  })

  test('that was changed after it was signed', () => {
    const changed = redeemData(normal, { settlement: settlementOf({ type: 'token', destination: shop }) })
    expect(decodeCall(changed, { now })?.texts.join()).toContain('rejects this one (IntentMismatch)')
  })

  test('with a random nonce', () => {
    const { permit } = request()
    const randomNonce = redeemData(normal, { permit: { ...permit, nonce: `0x7f${'11'.repeat(31)}` } })
    expect(decodeCall(randomNonce, { now })?.redeems[0]?.nonceIs).toBe('random')
  })

  test('whose USDC part exceeds its amount', () => {
    const { intent } = request()
    const absurd = redeemData(normal, { intent: { ...intent, usdcAmount: 10_000_001n } })
    expect(decodeCall(absurd, { now })?.redeems[0]?.nonceIs).toBe('of another redeem')
  })

  test.each<[TransactionData, string]>([
    [{ type: 'token', destination: shop }, `Pays ${shop} in USDC.`],
    [{ type: 'safeMint', ...normal }, `The customer gets the token that ${shop} delivers.`],
    [{ ...normal, nftContract: shop, nftId: '7' }, `The customer gets token 7 of ${shop}.`],
    [
      {
        type: 'decent',
        dstChainId: 10,
        dstToken: '0x0000000000000000000000000000000000000000',
        contractAddress: shop,
        contractData: data,
        cost: { isNative: true, amount: '5' },
      },
      `Calls ${shop} on chain 10 with 5 raw units of the coin`,
    ],
  ])('of each type: %j', (transactionData, texts) => {
    expect(decodeCall(redeemData(transactionData), { now })?.texts.join('\n')).toContain(texts)
  })

  test('with line breaks in its credit seed, on one line', () => {
    const { permit } = request()
    const hostile = redeemData(normal, { permit: { ...permit, creditSeed: 'a\n\u001b[31m\u202e' } })
    for (const line of decodeCall(hostile, { now })?.texts ?? [''])
      expect(line).toMatch(/^[^\p{Cc}\p{Cf}]+$/u)
  })
})

test('decodes each item of a batch, and reports an item that cannot be decoded', () => {
  const types = getAbiItem({ abi: creditsAbi, name: 'redeem' }).inputs
  const args = [
    [encodeAbiParameters(types, [request()]), '0x1234'],
    [1n, 2n],
  ] as const
  const batch = encodeFunctionData({ abi: creditsAbi, functionName: 'redeemBatch', args })
  const decoded = decodeCall(batch, { now })
  expect(decoded?.redeems.map((redeem) => redeem?.shape)).toEqual(['normal', undefined])
  expect(decoded?.texts[0]).toBe('Batch of 2 redeems.')
  expect(decoded?.texts.at(-1)).toBe(
    '2. This redeem cannot be decoded. It fails, and the others are not affected.',
  )
})

describe('describes another call of the credits contract', () => {
  const nonce: Hex = `0x${'22'.repeat(32)}`
  test.each<[Hex, string]>([
    [
      encodeFunctionData({ abi: creditsAbi, functionName: 'mint', args: ['s', customerWallet, 5_000_000n] }),
      `Mints 5.00 USD of credits for ${customerWallet}, credit seed "s", paid with the sender's USDC.`,
    ],
    [
      encodeFunctionData({ abi: creditsAbi, functionName: 'burn', args: ['s', customerWallet, 5_000_000n] }),
      `Burns 5.00 USD of credits of ${customerWallet}, credit seed "s", and pays out the USDC that backs them.`,
    ],
    [
      encodeFunctionData({
        abi: creditsAbi,
        functionName: 'cancelCreditsAuthorization',
        args: [customerWallet, nonce, '0x1234'],
      }),
      `Cancels the permit of ${customerWallet} with nonce ${nonce}; the signature has 2 bytes.`,
    ],
    [
      encodeFunctionData({
        abi: creditsAbi,
        functionName: 'setWhitelist',
        args: ['s', 8453n, shop, '0x12345678', false, true, 50_000n],
      }),
      `Allows 0x12345678 of ${shop} on chain 8453 for credit seed "s", with at least 50000 gas.`,
    ],
    [
      encodeFunctionData({
        abi: creditsAbi,
        functionName: 'setWhitelist',
        args: ['s', 8453n, shop, '0x00000000', true, false, 0n],
      }),
      `Removes the entry for any function of ${shop} on chain 8453 for credit seed "s".`,
    ],
  ])('number %#', (call, texts) => {
    expect(decodeCall(call)?.texts).toEqual([texts])
  })
})

test('shows the function and arguments of a call to any other contract', () => {
  expect(decodeCall(data, { abis: [buyAbi] })).toMatchObject({
    name: 'buy',
    texts: [`Calls buy(address receiver = ${customerWallet}, uint256 price = 10000000).`],
    redeems: [],
  })
})

test('returns undefined for an unknown function', () => {
  expect(decodeCall('0x12345678')).toBeUndefined()
})

describe('decodes bytes that may be a call or revert data', () => {
  test('as revert data', () => {
    const bytes = encodeErrorResult({ abi: buyAbi, errorName: 'SoldOut', args: [5n] })
    expect(decodeData(bytes, { abis: [buyAbi] }).texts).toEqual(['Reverts with: SoldOut: limit 5.'])
    expect(decodeData(bytes.slice(0, 10) as Hex, { abis: [buyAbi] }).texts).toEqual([
      'Reverts with: SoldOut(uint256) without its values.',
    ])
  })

  test('as a call', () => {
    expect(decodeData(data, { abis: [buyAbi] })).toMatchObject({ call: { name: 'buy' }, revert: undefined })
  })

  test.each<[Hex, string]>([
    ['0x', 'No bytes'],
    ['0x1234', 'Only 2 bytes'],
    ['0x12345678', 'with selector 0x12345678'],
  ])('as neither: %s', (bytes, texts) => {
    expect(decodeData(bytes).texts.join()).toContain(texts)
  })

  test('rejects text that is not hex', () => {
    // A user's typing error.
    expect(() => decodeData('0x123' as Hex)).toThrow('is not 0x-hex with whole bytes')
  })
})
