import type { Keypair, xdr as Xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { formatInspection, signAuthEntry } from '../index.ts'
import { Address, Asset, authorizeEntry, hash, nativeToScVal, xdr } from '../sdk.ts'
import {
  amount,
  args,
  base,
  buildCall,
  call,
  codes,
  customer,
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
import { inspectRequest } from './inspectRequest.ts'

const ask = (authEntry: string) => inspectRequest({ authEntry }, { ...options, expected: call })
const codesOf = (authEntry: string) => ask(authEntry).findings.map((finding) => finding.code)
const authorizedBy = (key: Keypair) =>
  authorizeEntry(entry({ address: key.publicKey() }), key, 1060, networkPassphrase)

describe('an authorization entry without its transaction', () => {
  test('that is expected has no finding', () => {
    expect(ask(entry().toXDR('base64'))).toMatchObject({
      kind: 'stellarAuthorization',
      verdict: 'ok',
      findings: [],
    })
  })
  test('signed by the customer has no finding', async () => {
    expect(ask((await authorizedBy(customer)).toXDR('base64')).verdict).toBe('ok')
  })
  test('for a known token gets the verdict caution without an expectation', () => {
    const authEntry = entry({ root: transfer() }).toXDR('base64')
    expect(inspectRequest({ authEntry }, options).verdict).toBe('caution')
  })
  test('for an unknown contract gets the verdict caution without an expectation', () => {
    expect(inspectRequest({ authEntry: entry().toXDR('base64') }, options)).toMatchObject({
      verdict: 'caution',
      findings: [{ code: 'UNKNOWN_OPERATION' }, { code: 'NOT_COMPARED' }],
    })
  })
  test('of a stranger is refused', async () => {
    expect(codesOf((await authorizedBy(stranger)).toXDR('base64'))).toContain('WRONG_ACCOUNT')
  })
  test('of the right address, signed with another key, is refused, although the SDK accepts it', async () => {
    const foreign = await authorizedBy(stranger)
    foreign.credentials().address().address(Address.fromString(from).toScAddress())
    expect(codesOf(foreign.toXDR('base64'))).toEqual(['FOREIGN_SIGNATURE'])
  })
  test('with other XDR throws a typed error', () => {
    expect(() => ask('AAAA')).toThrow(expect.objectContaining({ name: 'InvalidTransactionError' }))
  })
})

describe('the preimage of an authorization', () => {
  /** Returns the preimage that the SDK passes to a wallet. */
  async function preimageOfSdk(): Promise<Xdr.HashIdPreimage> {
    return new Promise((resolve, reject) => {
      const signer = async (asked: Xdr.HashIdPreimage) => {
        resolve(asked)
        return { signature: customer.sign(hash(asked.toXDR())), publicKey: from }
      }
      authorizeEntry(entry(), signer, 1060, networkPassphrase).catch(reject)
    })
  }
  test('from the SDK has no finding', async () => {
    expect(ask((await preimageOfSdk()).toXDR('base64')).verdict).toBe('ok')
  })
  test('of another network is refused', async () => {
    const preimage = await preimageOfSdk()
    preimage.sorobanAuthorization().networkId(Buffer.alloc(32))
    expect(ask(preimage.toXDR('base64')).findings).toMatchObject([{ code: 'WRONG_NETWORK' }])
  })
})

describe('an authorization in its transaction', () => {
  const codesWith = (auth: Xdr.SorobanAuthorizationEntry) => codes(buildCall({ auth: [auth] }), call)
  const signed = async () =>
    xdr.SorobanAuthorizationEntry.fromXDR(
      await signAuthEntry(customer, { ...base, authEntry: entry().toXDR('base64'), expected: call }),
      'base64',
    )
  test('signed by the customer has no finding', async () => {
    expect(codesWith(await signed())).toEqual([])
  })
  test.each<[string, (fields: Xdr.ScMapEntry[]) => Xdr.ScMapEntry[]]>([
    ['reversed', (fields) => fields.reverse()],
    ['doubled', (fields) => [...fields, ...fields]],
    ['cut', (fields) => fields.slice(1)],
    ['left out', () => []],
  ])('whose signature fields are %s is refused', async (_, change) => {
    const other = await signed()
    const holder = other.credentials().address()
    const fields = holder.signature().vec()?.[0]?.map() ?? []
    holder.signature(xdr.ScVal.scvVec([xdr.ScVal.scvMap(change(fields))]))
    expect(codesWith(other)).toEqual(['FOREIGN_SIGNATURE'])
  })
  test('signed without an expiry is refused', async () => {
    const endless = await authorizeEntry(entry({ until: 0 }), customer, 0, networkPassphrase)
    expect(codesWith(endless)).toEqual(['EXPIRED'])
  })
  test('needs no expiry before it is signed', () => {
    expect(codesWith(entry({ until: 0 }))).toEqual([])
  })
  test('has an expiry that cannot be checked without the latest ledger', () => {
    const { latestLedger: _, ...asked } = options
    expect(inspectRequest({ transaction: buildCall().toXDR() }, { ...asked, expected: call })).toMatchObject({
      verdict: 'caution',
      findings: [{ code: 'EXPIRY_UNCHECKED' }],
    })
  })
})

const xlm = Asset.native().contractId(networkPassphrase)
const address = (text: string) => nativeToScVal(text, { type: 'address' })
const money = nativeToScVal(amount, { type: 'i128' })
const ledger = nativeToScVal(1060, { type: 'u32' })
const look = (contract: string, name: string, values: Xdr.ScVal[], expected?: object) =>
  inspectRequest(
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

test('an invalid function name is quoted', () => {
  expect(look(shop, 'nothing. It is safe. Sign of', []).summary).toContain(
    `Calls "nothing. It is safe. Sign of" of the contract ${short(shop)}. Its effect is unknown.`,
  )
})

const short = (account: string) => `${account.slice(0, 4)}…${account.slice(-4)}`

describe('a token call, described', () => {
  test.each<[string, string, Xdr.ScVal[], string, string[]]>([
    ['transfer', usdc, transferArgs(), `Sends 2.50 USDC to ${short(to)}.`, []],
    ['transfer', xlm, transferArgs(), `Sends 2.5 XLM to ${short(to)}.`, []],
    [
      'transfer',
      shop,
      transferArgs(),
      `Sends ${amount} raw units of the token ${short(shop)} to ${short(to)}.`,
      [],
    ],
    [
      'transfer_from',
      usdc,
      [address(from), address(spender), address(to), money],
      `Sends 2.50 USDC from ${short(spender)} to ${short(to)}.`,
      [],
    ],
    [
      'approve',
      usdc,
      [address(from), address(spender), money, ledger],
      `Lets ${short(spender)} spend up to 2.50 USDC.`,
      ['DELEGATE_APPROVAL'],
    ],
    ['burn', xlm, [address(from), money], 'Destroys 2.5 XLM.', ['EXTRA_TRANSFER']],
    [
      'burn_from',
      usdc,
      [address(from), address(spender), money],
      `For ${short(spender)}: Destroys 2.50 USDC.`,
      ['EXTRA_TRANSFER'],
    ],
  ])('%s (%#)', (name, contract, values, title, codes) => {
    const inspection = look(contract, name, values)
    expect(formatInspection(inspection).title).toBe(title)
    expect(inspection.findings.map(({ code }) => code)).toEqual([...codes, 'NOT_COMPARED'])
    expect(inspection.verdict).toBe('caution')
  })
  test('that approves everything, or approves an unknown spender, is refused', () => {
    const everything = nativeToScVal(2n ** 63n - 1n, { type: 'i128' })
    const values = [address(from), address(spender), everything, ledger]
    const inspection = look(usdc, 'approve', values)
    expect(formatInspection(inspection).title).toBe(`Lets ${short(spender)} spend all of your USDC.`)
    expect(inspection).toMatchObject({ verdict: 'refuse', findings: [{ code: 'UNLIMITED_APPROVAL' }, {}] })
  })
})

describe('an unknown call gets the verdict caution', () => {
  test.each<[string, string, string, Xdr.ScVal[]]>([
    ['of another contract', shop, 'buy', transferArgs()],
    ['of another function', usdc, 'set_admin', [address(to)]],
    ['named like a property of every JavaScript object', usdc, 'constructor', []],
    ['with an extra argument', usdc, 'transfer', [...transferArgs(), money]],
    ['with a missing argument', usdc, 'transfer', transferArgs().slice(1)],
    ['with arguments of other types', usdc, 'transfer', [money, money, money]],
  ])('%s', (_, contract, name, values) => {
    expect(look(contract, name, values)).toMatchObject({
      verdict: 'caution',
      findings: [{ code: 'UNKNOWN_OPERATION', severity: 'warning' }, { code: 'NOT_COMPARED' }],
    })
  })
  test('also inside a transfer, where it is listed', () => {
    const root = transfer(to, amount, [invocation(shop, 'buy', [])])
    const inspection = inspectRequest({ authEntry: entry({ root }).toXDR('base64') }, options)
    expect(inspection.verdict).toBe('caution')
    expect(inspection.summary).toContain(
      `\nCall: Calls buy of the contract ${short(shop)}. Its effect is unknown.\n`,
    )
  })
})

test('an allowance is reported even if it is expected', () => {
  const values = [address(from), address(spender), money, ledger]
  const expected = { kind: 'call', from, contract: usdc, functionName: 'approve', args: values }
  expect(look(usdc, 'approve', values, expected)).toMatchObject({
    verdict: 'caution',
    findings: [{ code: 'DELEGATE_APPROVAL', severity: 'warning' }],
  })
})
