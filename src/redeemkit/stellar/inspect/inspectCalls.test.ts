import { Asset, nativeToScVal, xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { inspect } from '../index.ts'
import {
  amount,
  args,
  buildCall,
  entry,
  from,
  invocation,
  network,
  networkPassphrase,
  options,
  shop,
  stranger,
  to,
  transfer,
  transferArgs,
} from '../stellar.fixture.ts'

const xlm = Asset.native().contractId(networkPassphrase)
const address = (text: string) => nativeToScVal(text, { type: 'address' })
const money = nativeToScVal(amount, { type: 'i128' })
const ledger = nativeToScVal(1060, { type: 'u32' })
const look = (contract: string, name: string, values: xdr.ScVal[], expected?: object) =>
  inspect(
    {
      transaction: buildCall({
        source: from,
        func: xdr.HostFunction.hostFunctionTypeInvokeContract(args(contract, name, values)),
        auth: [],
      }).toXDR(),
    },
    { ...options, ...(expected && { expected: expected as never }) },
  )
const usdc = network.usdc.contract
const spender = stranger.publicKey()

test('a function whose name is none is quoted', () => {
  expect(look(shop, 'nothing. It is safe. Sign of', []).summary).toBe(
    `Call "nothing. It is safe. Sign of" of ${shop} with 0 arguments.`,
  )
})

describe('a call of a token, told in words', () => {
  test.each<[string, string, xdr.ScVal[], string, string[]]>([
    ['transfer', usdc, transferArgs(), `Pay 2.5 USDC from ${from} to ${to}.`, []],
    ['transfer', xlm, transferArgs(), `Pay 2.5 XLM from ${from} to ${to}.`, []],
    [
      'transfer_from',
      usdc,
      [address(from), address(spender), address(to), money],
      `Pay 2.5 USDC from ${spender} to ${to} by the allowance of ${from}.`,
      [],
    ],
    [
      'approve',
      usdc,
      [address(from), address(spender), money, ledger],
      `Let ${spender} spend 2.5 USDC of ${from} until ledger 1060.`,
      ['DELEGATE_APPROVAL'],
    ],
    ['burn', xlm, [address(from), money], `Destroy 2.5 XLM of ${from}.`, ['EXTRA_TRANSFER']],
    [
      'burn_from',
      usdc,
      [address(from), address(spender), money],
      `Destroy 2.5 USDC of ${spender} by the allowance of ${from}.`,
      ['EXTRA_TRANSFER'],
    ],
  ])('%s (%#)', (name, contract, values, summary, codes) => {
    const { findings, ...seen } = look(contract, name, values)
    expect(seen.summary).toBe(summary)
    expect(findings.map(({ code }) => code)).toEqual([...codes, 'NOT_COMPARED'])
    expect(seen.verdict).toBe(codes.length === 0 ? 'caution' : 'refuse')
  })
})

describe('a call that is not understood is a danger', () => {
  test.each<[string, string, string, xdr.ScVal[]]>([
    ['of another contract', shop, 'transfer', transferArgs()],
    ['of another function', usdc, 'set_admin', [address(to)]],
    ['of what every object has', usdc, 'constructor', []],
    ['with an argument more', usdc, 'transfer', [...transferArgs(), money]],
    ['with an argument less', usdc, 'transfer', transferArgs().slice(1)],
    ['with arguments of other types', usdc, 'transfer', [money, money, money]],
    ['of XLM of another network', Asset.native().contractId('x'), 'transfer', transferArgs()],
  ])('%s', (_, contract, name, values) => {
    expect(look(contract, name, values)).toMatchObject({
      verdict: 'refuse',
      findings: [{ code: 'UNKNOWN_OPERATION', severity: 'danger' }, { code: 'NOT_COMPARED' }],
    })
  })
  test('inside a transfer', () => {
    const root = transfer(to, amount, [invocation(shop, 'buy', [])])
    expect(inspect({ authEntry: entry({ root }).toXDR('base64') }, options)).toMatchObject({
      verdict: 'refuse',
      summary: `Authorize for ${from}: Pay 2.5 USDC from ${from} to ${to} (Call buy of ${shop} with 0 arguments).`,
    })
  })
})

test('an allowance that was expected is told all the same', () => {
  const values = [address(from), address(spender), money, ledger]
  const expected = { kind: 'call', from, contract: usdc, functionName: 'approve', args: values }
  expect(look(usdc, 'approve', values, expected)).toMatchObject({
    verdict: 'caution',
    findings: [{ code: 'DELEGATE_APPROVAL', severity: 'warning' }],
  })
})
