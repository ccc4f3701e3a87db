import {
  type Address,
  encodeFunctionData,
  type Hex,
  maxUint256,
  padHex,
  stringToHex,
  toFunctionSelector,
} from 'viem'
import { Abis } from 'viem/tempo'
import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { tempoContracts } from '../network.ts'
import { describeTempoCall } from './describeTempoCall.ts'
import { creditsCalls } from './knownCalls.ts'

const me: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const shop: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const bank: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const pathUsd = tempoContracts.pathUsd
const alpha: Address = '0x20C0000000000000000000000000000000000001'
const credits: Address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const word: Hex = `0x${'11'.repeat(32)}`
const now = 1_800_000_000n
const described = (to: Address, data: Hex, change: object = {}) =>
  describeTempoCall(
    { to, data },
    { account: me, chainId: 42431, index: 2, now, creditsContract: credits, ...change },
  )
/** A call of a token as another library writes it. */
const tip20 = (functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: Abis.tip20, functionName, args } as never)
const dollar = 1_000_000n
const memo = (text: string) => padHex(stringToHex(text), { dir: 'right', size: 32 })

describe('what a token moves, seen from the account', () => {
  test.each<[string, readonly unknown[], string, string]>([
    ['transfer', [shop, dollar], `pays 1.00 pathUSD to ${shop}`, 'out'],
    ['transfer', [me, dollar], 'pays 1.00 pathUSD to itself', 'other'],
    ['transfer', [shop, 1n], `pays 0.000001 pathUSD to ${shop}`, 'out'],
    ['transferFrom', [me, shop, dollar], `pays 1.00 pathUSD to ${shop}`, 'out'],
    ['transferFrom', [shop, me, dollar], `takes 1.00 pathUSD from ${shop}`, 'in'],
    ['transferFrom', [shop, bank, dollar], `moves 1.00 pathUSD from ${shop} to ${bank}`, 'other'],
    [
      'transferWithMemo',
      [shop, dollar, memo('order 42')],
      `pays 1.00 pathUSD to ${shop} with the memo "order 42"`,
      'out',
    ],
    ['transferWithMemo', [shop, dollar, padHex('0x0')], `pays 1.00 pathUSD to ${shop}`, 'out'],
    [
      'transferWithMemo',
      [shop, dollar, `0xff${word.slice(4)}`],
      `pays 1.00 pathUSD to ${shop} with the memo 0xff${word.slice(4)}`,
      'out',
    ],
    [
      'transferFromWithMemo',
      [shop, me, dollar, memo('back')],
      `takes 1.00 pathUSD from ${shop} with the memo "back"`,
      'in',
    ],
    ['mint', [me, dollar], 'mints 1.00 pathUSD for itself', 'in'],
    ['mintWithMemo', [shop, dollar, memo('m')], `mints 1.00 pathUSD for ${shop} with the memo "m"`, 'other'],
    ['burn', [dollar], 'burns 1.00 pathUSD of its own', 'out'],
    ['burnWithMemo', [dollar, memo('b')], 'burns 1.00 pathUSD of its own with the memo "b"', 'out'],
  ])('%s %o', (name, args, text, direction) => {
    const call = described(pathUsd, tip20(name, args))
    expect(call).toMatchObject({
      text,
      findings: [],
      movements: [{ what: 'token', direction, call: 2, contract: pathUsd }],
    })
  })

  test('a memo with what cannot be seen is shown as bytes', () => {
    const sly = `0x${'61e280ae62'}${'00'.repeat(27)}` as const
    expect(described(pathUsd, tip20('transferWithMemo', [shop, 1n, sly])).text).toContain('memo 0x61e280ae62')
  })

  test('without an account the sender pays', () => {
    const { movements } = described(pathUsd, tip20('transfer', [shop, dollar]), { account: undefined })
    expect(movements).toEqual([
      { call: 2, what: 'token', contract: pathUsd, direction: 'out', amount: dollar, to: shop },
    ])
  })

  test('a token of the test network has no name on the other', () => {
    const data = tip20('transfer', [shop, dollar])
    expect(described(alpha, data).text).toBe(`pays 1.00 AlphaUSD to ${shop}`)
    expect(described(alpha, data, { chainId: 4217 }).text).toBe(`pays 1.00 of the token ${alpha} to ${shop}`)
  })

  test('of a contract outside the factory the decimals are unknown, and it may be no token', () => {
    expect(described(bank, tip20('transfer', [shop, dollar]))).toMatchObject({
      text: `pays 1000000 raw units of the token ${bank} to ${shop}, if ${bank}, which is not an expected contract, is a token`,
      movements: [],
      findings: [{ code: 'NOT_COMPARED' }],
    })
  })
})

describe('allowances to other accounts', () => {
  const ends = now + 600n
  const permit = (owner: Address, spender: Address, amount: bigint) =>
    tip20('permit', [owner, spender, amount, ends, 27, word, word])
  const until = 'good until 2027-01-15 08:10:00 UTC (in 10 minutes)'

  test.each<[string, Hex, string, boolean]>([
    ['an amount', tip20('approve', [shop, dollar]), `lets ${shop} spend up to 1.00 pathUSD`, true],
    [
      'everything',
      tip20('approve', [shop, maxUint256]),
      `lets ${shop} spend everything of its pathUSD that there is and will be`,
      true,
    ],
    [
      'as much as no token has',
      tip20('approve', [shop, 2n ** 127n]),
      `lets ${shop} spend everything of its pathUSD that there is and will be`,
      true,
    ],
    [
      'nothing any more',
      tip20('approve', [shop, 0n]),
      `lets ${shop} spend nothing of its pathUSD any more`,
      false,
    ],
    [
      'by a permit of its own',
      permit(me, shop, dollar),
      `hands in a permit, ${until}, by which it lets ${shop} spend up to 1.00 pathUSD`,
      true,
    ],
    [
      "by somebody else's permit",
      permit(shop, me, dollar),
      `hands in a permit, ${until}, by which ${shop} lets itself spend up to 1.00 pathUSD`,
      false,
    ],
  ])('%s', (_, data, text, warned) => {
    const call = described(pathUsd, data)
    expect(call.text).toBe(text)
    expect(call.movements).toMatchObject([{ what: 'allowance' }])
    expect(call.findings.map(({ code }) => code)).toEqual(warned ? ['DELEGATE_APPROVAL'] : [])
  })
})

describe('the account keychain', () => {
  const keychain = (functionName: string, args: readonly unknown[]) =>
    described(
      tempoContracts.accountKeychain,
      encodeFunctionData({ abi: Abis.accountKeychain, functionName, args } as never),
    )
  const config = { expiry: 5n, enforceLimits: true, limits: [], allowAnyCalls: true, allowedCalls: [] }

  test.each<[string, readonly unknown[]]>([
    ['authorizeKey', [bank, 1, config]],
    ['authorizeKey', [bank, 1, config, word]],
    ['authorizeAdminKey', [bank, 1, word]],
  ])('%s %o is a danger', (name, args) => {
    expect(keychain(name, args)).toMatchObject({
      text: `gives the key ${bank} power over the account`,
      findings: [{ code: 'KEY_AUTHORIZATION', severity: 'danger' }],
    })
  })

  test.each<[string, readonly unknown[], string, number]>([
    ['revokeKey', [bank], `takes the power of the access key ${bank} back, for good`, 0],
    [
      'updateSpendingLimit',
      [bank, pathUsd, dollar],
      `lets the access key ${bank} spend up to 1.00 pathUSD`,
      1,
    ],
    ['removeAllowedCalls', [bank, shop], `changes what the access key ${bank} may call`, 1],
  ])('%s', (name, args, text, findings) => {
    const call = keychain(name, args)
    expect(call.text).toBe(text)
    expect(call.findings).toHaveLength(findings)
  })
})

test('the token of the fees', () => {
  const data = encodeFunctionData({ abi: Abis.feeManager, functionName: 'setUserToken', args: [alpha] })
  const { feeManager } = tempoContracts
  expect(described(feeManager, data).text).toBe('chooses AlphaUSD to pay its fees with')
  expect(described(feeManager, data, { chainId: 4217 }).text).toBe(
    `chooses the token ${alpha} to pay its fees with`,
  )
})

describe('the credits contract', () => {
  const call = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi: creditsAbi, functionName, args } as never)
  const permit = {
    customerWallet: me,
    creditSeed: 'shop',
    amount: 3n * dollar,
    validBefore: 5n,
    nonce: word,
    signature: '0x1234',
  }
  const redeemToken = call('redeemToken', [permit, 2n * dollar, 30_000n, word, shop])
  const redeem = (kind: number) =>
    call('redeem', [
      {
        permit,
        intent: { amount: 2n * dollar, usdcAmount: 0n, salt: word },
        settlement: {
          kind,
          target: shop,
          data: '0x',
          nftContract: shop,
          nftId: 0n,
          bridge: { dstChainId: 0n, dstToken: shop, isNative: false, cost: 0n },
        },
        usdcAuthorization: { method: 0, signature: '0x' },
        gasFee: 30_000n,
      },
    ])

  test.each<[string, Hex, string]>([
    ['a payment', redeem(0), `redeems 2.03 USD of its own credits "shop" to pay 2.00 USD to ${shop}`],
    ['a token payment', redeemToken, `redeems 2.03 USD of its own credits "shop" to pay 2.00 USD to ${shop}`],
    ['a call', redeem(1), `redeems 2.03 USD of its own credits "shop" to call ${shop} with up to 2.00 USD`],
    [
      'a cancellation',
      call('cancelCreditsAuthorization', [me, word, '0x1234']),
      'permanently cancels its own credit permit with nonce 0x11111111…',
    ],
    ['a mint', call('mint', ['shop', me, dollar]), 'mints 1.00 USD of credits "shop" for itself'],
    ['a burn', call('burn', ['shop', bank, dollar]), `burns 1.00 USD of credits "shop" of ${bank}`],
    [
      'a batch',
      call('redeemBatch', [['0x12'], [5n]]),
      'relays several redeems, each signed by its own customer',
    ],
    ['a withdrawal', call('withdrawFees', []), "pays the contract's fees out to its fee recipient"],
  ])('%s', (_, data, text) => {
    expect(described(credits, data)).toMatchObject({ text, findings: [] })
  })

  test.each([
    ['redeem', redeem(0)],
    ['redeemToken', redeemToken],
  ])('what %s charges is a movement', (_, data) => {
    expect(described(credits, data).movements).toMatchObject([
      { what: 'credits', direction: 'out', amount: 2_030_000n, from: me },
    ])
  })

  test('every row is a function of the contract', () => {
    const selectors = creditsAbi.flatMap((item) =>
      item.type === 'function' ? [toFunctionSelector(item)] : [],
    )
    expect(selectors).toEqual(expect.arrayContaining(Object.keys(creditsCalls)))
  })

  test('an unexpected one is described as such, and moves nothing for certain', () => {
    const { text, movements, findings } = described(bank, redeem(0))
    expect(text).toMatch(
      /if 0x90F79bf6EB2c4f870365E785982E1f101E93b906, which is not an expected contract, is a credits contract$/,
    )
    expect(movements).toEqual([])
    expect(findings).toMatchObject([{ code: 'NOT_COMPARED', severity: 'warning' }])
  })
})

describe('what is not known is called so', () => {
  const cut = tip20('transfer', [shop, dollar]).slice(0, -2) as Hex
  const dirty = tip20('transfer', [shop, dollar]).replace('0xa9059cbb00', '0xa9059cbb01') as Hex
  test.each<[string, Address, Hex, string]>([
    ['no data', bank, '0x', `calls ${bank} without data`],
    ['less than a selector', bank, '0x1234', `calls ${bank} with 0x1234, an unknown function`],
    ['another function', bank, '0xdeadbeef', `calls ${bank} with 0xdeadbeef, an unknown function`],
    ['arguments that end early', pathUsd, cut, `calls ${pathUsd} with 0xa9059cbb, an unknown function`],
    ['an address of 21 bytes', pathUsd, dirty, `calls ${pathUsd} with 0xa9059cbb, an unknown function`],
    [
      'a function of another contract',
      tempoContracts.accountKeychain,
      tip20('transfer', [shop, dollar]),
      `calls ${tempoContracts.accountKeychain} with 0xa9059cbb, an unknown function`,
    ],
  ])('%s', (_, to, data, text) => {
    expect(described(to, data)).toMatchObject({ text, movements: [], findings: [{ code: 'NOT_COMPARED' }] })
  })

  test('a creation', () => {
    const { text } = describeTempoCall({ data: '0x60' }, { account: me, chainId: 42431, index: 0, now })
    expect(text).toBe('creates a contract')
  })
})

test('every row of a token is a function of TIP-20 as another library has it', async () => {
  const { tokenCalls, keychainCalls } = await import('./knownCalls.ts')
  const { Selectors } = await import('viem/tempo')
  const flat = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(flat)
  expect(flat(Selectors.tip20)).toEqual(expect.arrayContaining(Object.keys(tokenCalls)))
  expect(flat(Selectors.accountKeychain)).toEqual(expect.arrayContaining(Object.keys(keychainCalls)))
})
