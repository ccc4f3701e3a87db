import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { describeCall } from '../../simulation/abi/describe.ts'
import { merchantOf, type RedeemOptions } from '../options.ts'
import { readRedeem } from './readRedeem.ts'

const alice: Hex = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const shop: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const nft: Hex = '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512'
const call = { sig: 'buy(address,uint256)', args: ['alice', '10000000'] }
const data = encodeFunctionData({
  abi: parseAbi(['function buy(address,uint256)']),
  functionName: 'buy',
  args: [alice, 10_000_000n],
})
const transaction = { to: shop, data }
const read = (options: Partial<RedeemOptions>) =>
  readRedeem({ type: 'normal', to: shop, amount: '10.00', as: 'alice', ...options }, { alice })

test.each<[string, Partial<RedeemOptions>, object]>([
  ['token', { to: 'alice' }, { type: 'token', destination: alice }],
  ['normal', call, { transaction }],
  ['normal', { data }, { transaction }],
  ['safeMint', call, { type: 'safeMint', transaction }],
  ['returned', { ...call, nftContract: nft }, { type: 'returned', transaction, nftContract: nft }],
  ['knownTokenId', { ...call, nftId: '42' }, { transaction, nftContract: shop, nftId: '42' }],
  [
    'decent',
    { ...call, dstChain: 421614, dstCost: '9.50' },
    {
      type: 'decent',
      dstChainId: 421614,
      // Source: developers.circle.com, USDC on Arbitrum Sepolia.
      dstToken: '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d',
      contractAddress: shop,
      contractData: data,
      cost: { isNative: false, amount: '9500000' },
    },
  ],
])('builds the transaction data of type %s', (type, options, transactionData) => {
  expect(read({ type, ...options }).transactionData).toEqual(transactionData)
})

test('decodes the call by its signature, without an ABI', () => {
  expect(describeCall(data, read(call).abis)?.signature).toBe('buy(address,uint256)')
})

test('reads amounts exactly', () => {
  expect(read({ ...call, amount: '10.000001', usdc: '0.1' })).toMatchObject({
    amount: 10_000_001n,
    usdcAmount: 100_000n,
  })
})

test.each<[string, Partial<RedeemOptions>, string]>([
  ['has 7 decimal places', { ...call, amount: '10.0000001' }, '--amount'],
  ['"10,00" is not a plain decimal', { ...call, amount: '10,00' }, '--amount'],
  ['cannot be 0', { ...call, amount: '0.00' }, '--amount'],
  ['"-1" is not a plain decimal', { ...call, usdc: '-1' }, '--usdc'],
  ['exceeds the price 10.00', { ...call, usdc: '10.01' }, '--usdc'],
  ['both given', { ...call, args: [], data: '0x' }, '--data'],
  ['--args cannot be combined', { data: '0x', args: ['1'] }, '--args'],
  ['no call was given', {}, '--sig'],
  ['without a function', { args: ['1'] }, '--sig'],
  ['does not contain the types', { sig: '0xcce7ec13' }, '--sig'],
  ['type token does not take --sig', { type: 'token', ...call }, '--sig'],
  ['type normal does not take --nft-id', { ...call, nftId: '1' }, '--nft-id'],
  ['knownTokenId needs --nft-id', { ...call, type: 'knownTokenId' }, '--nft-id'],
  ['"x" is not a token id', { ...call, type: 'knownTokenId', nftId: 'x' }, 'nftId'],
  ['decent needs --dst-chain', { ...call, type: 'decent' }, '--dst-chain'],
  ['"0xcce7e" is not', { data: '0xcce7e' }, '--data'],
  ['shorter than a function selector', { data: '0xcce7' }, '--data'],
  ['or one of alice', { ...call, to: 'dave' }, '--to'],
  ['"constructor" is not an address', { ...call, to: 'constructor' }, '--to'],
  ['For the folder of a sandbox, use --data-dir', { data: '.sandbox' }, '--data'],
  ['only reads', { sig: 'price() view returns (uint256)' }, 'functionName'],
])('names the option and the problem of an invalid redeem: %s', (text, options, field) => {
  const readOptions = () => read(options)
  expect(readOptions).toThrow(text)
  expect(readOptions).toThrow(`Field: ${field}`)
})

describe('redeemOptions', () => {
  const found = { merchantId: 'their-shop', creditSeed: 'their-seed' }

  test.each([
    ['returns the default merchant if nothing is known', {}, {}, 'sandbox-shop', 'sandbox-shop'],
    ['returns the sandbox’s merchant', {}, found, 'their-shop', 'their-seed'],
    ['returns the option’s merchant', { merchantId: 'other' }, found, 'other', 'other'],
    ['returns the option’s credit seed', { creditSeed: 'other' }, found, 'their-shop', 'other'],
  ])('%s', (_, options, sandbox, merchantId, creditSeed) => {
    expect(merchantOf(options, sandbox)).toEqual({ merchantId, creditSeed })
  })
})
