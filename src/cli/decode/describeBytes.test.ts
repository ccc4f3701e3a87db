import { encodeErrorResult, encodeFunctionData, type Hex, parseAbi, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { redeemCall } from '../../simulation/call/redeemCall.ts'
import { redeemRequest } from '../../simulation/call/redeemRequest.ts'
import { bytesText } from './bytesText.ts'
import { describeBytes } from './describeBytes.ts'

const alice: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const shop: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const abi = parseAbi(['function buy(address receiver, uint256 price)', 'error SoldOut(uint256 limit)'])
const salt: Hex = `0x${'5a'.repeat(32)}`

const { data: redeem } = redeemCall(
  { creditsContract: shop },
  redeemRequest({
    permit: {
      customerWallet: alice,
      creditSeed: 'a\u001b[2J shop',
      amount: 6_010_000n,
      validBefore: 1_790_000_000n,
      nonce: salt,
    },
    signature: '0x',
    salt,
    intent: {
      amount: 10_000_000n,
      usdcAmount: 4_000_000n,
      settlement: {
        kind: 4,
        target: shop,
        data: encodeFunctionData({ abi, functionName: 'buy', args: [alice, 10_000_000n] }),
        nftContract: shop,
        nftId: 42n,
        bridge: { dstChainId: 0n, dstToken: zeroAddress, isNative: false, cost: 0n },
      },
    },
    gasFee: 10_000n,
  }),
)

test('a redeem’s call data, line by line', () => {
  expect(bytesText(describeBytes(redeem, [abi]))).toBe(
    [
      'A redeem of shape knownTokenId: 10.00 USD, of which the customer pays 4.00 USD in USDC',
      `  customer     ${alice}`,
      '  credit seed  "a\\u001b[2J shop"',
      `  calls        ${shop}`,
      `  with         buy(address receiver = ${alice}, uint256 price = 10000000)`,
      `  NFT          of ${shop}, id 42`,
      '  gas fee      0.01 USD',
      '  good until   2026-09-21T14:13:20.000Z',
      `  nonce        ${salt}`,
    ].join('\n'),
  )
})

test('without its ABI, the call by its selector', () => {
  expect(describeBytes(redeem, []).redeems?.[0]?.call).toBe('0xcce7ec13')
})

test('a revert, by an ABI', () => {
  const data = encodeErrorResult({ abi, errorName: 'SoldOut', args: [5n] })
  expect(bytesText(describeBytes(data, [abi]))).toMatch(/^As a revert: {2}SoldOut.*5/)
  expect(describeBytes(data, [])).toEqual({ call: undefined, revert: undefined })
})

test('another call', () => {
  const data = encodeFunctionData({ abi, functionName: 'buy', args: [alice, 1n] })
  expect(bytesText(describeBytes(data, [abi]))).toBe(
    `As a call:    buy(address receiver = ${alice}, uint256 price = 1)`,
  )
})
