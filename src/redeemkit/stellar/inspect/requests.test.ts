import { readFileSync } from 'node:fs'
import type { Keypair, Transaction, xdr as Xdr } from '@stellar/stellar-sdk'
import { describe, expect, test } from 'vitest'
import { formatInspection } from '../../core/inspection/formatInspection.ts'
import { ptBrInspection } from '../../languages/index.ts'
import { challenge, text, wallet } from '../authMessage/authMessage.fixture.ts'
import { parseTransaction } from '../envelope/envelope.ts'
import {
  Account,
  Address,
  Asset,
  Memo,
  nativeToScVal,
  Operation,
  SorobanDataBuilder,
  TransactionBuilder,
  xdr,
} from '../sdk.ts'
import {
  args,
  build,
  buildCall,
  Claimant,
  customer,
  entry,
  from,
  invocation,
  LiquidityPoolAsset,
  LiquidityPoolId,
  MuxedAccount,
  network,
  networkPassphrase,
  options,
  pubnet,
  seconds,
  shop,
  sponsor,
  stranger,
  to,
  transfer,
  transferArgs,
  usdc,
} from '../stellar.fixture.ts'
import { inspect } from './inspect.ts'

const file = new URL('../../../../test/vectors/foreign-transactions.json', import.meta.url)
const recorded: { stellar: { name: string; transaction: string }[] } = JSON.parse(readFileSync(file, 'utf8'))

const short = (key: string) => `${key.slice(0, 4)}…${key.slice(-4)}`
const xlm = Asset.native()
const aqua = new Asset('AQUA', stranger.publicKey())
const own = (...operations: Xdr.Operation[]) => build({ source: from, memo: Memo.none(), operations })
const look = (transaction: Transaction, context: object = {}) =>
  inspect({ transaction: transaction.toXDR() }, { ...options, ...context })
const sign = (message: string, context: object = {}) =>
  inspect({ message }, { ...options, origin: 'https://shop.example', ...context })
const address = (account: string) => nativeToScVal(account, { type: 'address' })
const number = (value: bigint) => nativeToScVal(value, { type: 'i128' })
const ledger = nativeToScVal(1060, { type: 'u32' })
const calls = (
  contract: string,
  name: string,
  values: Xdr.ScVal[],
  auth: Xdr.SorobanAuthorizationEntry[] = [],
) =>
  buildCall({
    source: from,
    func: xdr.HostFunction.hostFunctionTypeInvokeContract(args(contract, name, values)),
    auth,
  })
const creation = Operation.createCustomContract({
  address: Address.fromString(from),
  wasmHash: Buffer.alloc(32, 7),
  salt: Buffer.alloc(32, 8),
})
  .body()
  .invokeHostFunctionOp()
  .hostFunction()
  .createContractV2()
const approve = (amount: bigint) => [address(from), address(to), number(amount), ledger]

/** Titles, lines and findings must be whole sentences in both languages, with all values filled in. */
function expectReadable(inspection: ReturnType<typeof inspect>) {
  for (const texts of [undefined, ptBrInspection]) {
    const { title, lines, findings } = formatInspection(inspection, { texts })
    expect(title).toMatch(/^\p{Lu}.*\.$/u)
    expect(JSON.stringify([title, lines])).not.toMatch(/(?<!u)\{\w+\}|undefined|\bis \S+ instead of\b/)
    for (const { message, fix } of findings) {
      expect(message).toMatch(/^\p{Lu}.*\.$/u)
      // Only the English text includes a part for developers.
      if (texts !== undefined) expect(fix).toBeUndefined()
    }
  }
}

/** Names of recorded transactions that give the account away: to another signer, or by a merge. */
const givesAway = /^(StellarAccountMergeOp|StellarSetOptionsOp-.*|all_sending_like_operations)$/

test.each(recorded.stellar.map(({ name, transaction }) => [name, transaction] as const))(
  'a transaction recorded from another project is judged: %s',
  (name, transaction) => {
    const { source } = parseTransaction(transaction, network).transaction
    const inspection = inspect({ transaction }, { environment: 'sandbox', address: source })
    expect(inspection.verdict).toBe(givesAway.test(name) ? 'refuse' : 'caution')
    expectReadable(inspection)
  },
)

describe('an honest request gets the verdict caution, with its description', () => {
  test.each<[string, Transaction, string]>([
    [
      'XLM',
      own(Operation.payment({ destination: to, asset: xlm, amount: '5' })),
      `Sends 5 XLM to ${short(to)}.`,
    ],
    [
      'another asset',
      own(Operation.payment({ destination: to, asset: aqua, amount: '5' })),
      `Sends 5 AQUA (${short(stranger.publicKey())}) to ${short(to)}.`,
    ],
    [
      'an asset whose name could be read as a number',
      own(
        Operation.payment({ destination: to, asset: new Asset('000XLM', stranger.publicKey()), amount: '1' }),
      ),
      `Sends 1 "000XLM" (${short(stranger.publicKey())}) to ${short(to)}.`,
    ],
    [
      'a new account',
      own(Operation.createAccount({ destination: to, startingBalance: '2' })),
      `Creates the account ${short(to)} and sends 2 XLM to it.`,
    ],
    [
      'a trustline',
      own(Operation.changeTrust({ asset: usdc })),
      `Lets your account hold USDC issued by ${short(network.usdc.issuer)}.`,
    ],
    [
      'a trustline with a limit',
      own(Operation.changeTrust({ asset: aqua, limit: '10' })),
      `Lets your account hold AQUA issued by ${short(stranger.publicKey())}.`,
    ],
    [
      'removing a trustline',
      own(Operation.changeTrust({ asset: usdc, limit: '0' })),
      `Stops your account from holding USDC issued by ${short(network.usdc.issuer)}.`,
    ],
    [
      'shares of a pool',
      own(Operation.changeTrust({ asset: new LiquidityPoolAsset(xlm, usdc, 30) })),
      'Lets your account hold shares of a liquidity pool.',
    ],
    [
      'an offer',
      own(Operation.manageSellOffer({ selling: xlm, buying: usdc, amount: '10', price: { n: 1, d: 10 } })),
      'Offers 10 XLM for 1.00 USDC.',
    ],
    [
      'an offer at a price of one third',
      own(Operation.manageSellOffer({ selling: xlm, buying: usdc, amount: '10', price: { n: 1, d: 3 } })),
      'Offers 10 XLM for 3.3333333 USDC.',
    ],
    [
      'an offer to buy',
      own(Operation.manageBuyOffer({ selling: xlm, buying: usdc, buyAmount: '1', price: '10' })),
      'Offers 10 XLM for 1.00 USDC.',
    ],
    [
      'changing an offer',
      own(
        Operation.manageSellOffer({ selling: xlm, buying: usdc, amount: '10', price: '0.2', offerId: '7' }),
      ),
      'Changes the offer 7: it offers 10 XLM for 2.00 USDC.',
    ],
    [
      'cancelling an offer',
      own(Operation.manageSellOffer({ selling: xlm, buying: usdc, amount: '0', price: '1', offerId: '7' })),
      'Cancels the offer 7.',
    ],
    [
      'a passive offer',
      own(Operation.createPassiveSellOffer({ selling: xlm, buying: usdc, amount: '10', price: '0.1' })),
      'Offers 10 XLM for 1.00 USDC.',
    ],
    [
      'a path payment',
      own(
        Operation.pathPaymentStrictSend({
          sendAsset: xlm,
          sendAmount: '10',
          destination: to,
          destAsset: usdc,
          destMin: '1',
        }),
      ),
      `Sends 10 XLM to ${short(to)}, who receives at least 1.00 USDC.`,
    ],
    [
      'a path payment of a fixed amount',
      own(
        Operation.pathPaymentStrictReceive({
          sendAsset: xlm,
          sendMax: '10',
          destination: to,
          destAsset: usdc,
          destAmount: '1',
        }),
      ),
      `Sends 1.00 USDC to ${short(to)} and pays at most 10 XLM for it.`,
    ],
    [
      'a swap',
      own(
        Operation.pathPaymentStrictSend({
          sendAsset: xlm,
          sendAmount: '10',
          destination: from,
          destAsset: usdc,
          destMin: '1',
        }),
      ),
      'Swaps 10 XLM for at least 1.00 USDC.',
    ],
    [
      'a swap for a fixed amount',
      own(
        Operation.pathPaymentStrictReceive({
          sendAsset: xlm,
          sendMax: '10',
          destination: from,
          destAsset: usdc,
          destAmount: '1',
        }),
      ),
      'Swaps at most 10 XLM for 1.00 USDC.',
    ],
    [
      'a claimable balance',
      own(Operation.createClaimableBalance({ asset: usdc, amount: '5', claimants: [new Claimant(to)] })),
      `Sets aside 5.00 USDC for ${short(to)} to claim.`,
    ],
    [
      'a claim',
      own(Operation.claimClaimableBalance({ balanceId: `00000000${'ab'.repeat(32)}` })),
      'Claims the balance 0000…abab, which was set aside for your account.',
    ],
    [
      'a home domain',
      own(Operation.setOptions({ homeDomain: 'shop.example' })),
      'Sets the home domain of your account to "shop.example".',
    ],
    [
      'removing a signer',
      own(Operation.setOptions({ signer: { ed25519PublicKey: to, weight: 0 } })),
      `Removes ${short(to)} from the signers of your account.`,
    ],
    [
      'removing a hash from the signers',
      own(Operation.setOptions({ signer: { sha256Hash: Buffer.alloc(32, 7), weight: 0 } })),
      'Removes 0707…0707 from the signers of your account.',
    ],
    [
      'a contract, with the authorization to create it',
      buildCall({
        source: from,
        func: xdr.HostFunction.hostFunctionTypeCreateContractV2(creation),
        auth: [
          entry({
            root: new xdr.SorobanAuthorizedInvocation({
              function:
                xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeCreateContractV2HostFn(creation),
              subInvocations: [],
            }),
          }),
        ],
      }),
      'Creates a new contract. What it does is unknown.',
    ],
    [
      'data',
      own(Operation.manageData({ name: 'config', value: 'x' })),
      'Stores the entry "config" in your account.',
    ],
    [
      'removing data',
      own(Operation.manageData({ name: 'config', value: null })),
      'Removes the entry "config" from your account.',
    ],
    [
      'a sequence number',
      own(Operation.bumpSequence({ bumpTo: '100' })),
      'Moves your account to the sequence number 100. Transactions with lower numbers become invalid.',
    ],
    [
      'a deposit',
      own(
        Operation.liquidityPoolDeposit({
          liquidityPoolId: 'ab'.repeat(32),
          maxAmountA: '1000000',
          maxAmountB: '2.5',
          minPrice: '1',
          maxPrice: '2',
        }),
      ),
      'Deposits up to 1,000,000 and up to 2.5 of the two assets of the liquidity pool abab…abab.',
    ],
    [
      'a deposit after a small payment, which does not hide it',
      own(
        Operation.payment({ destination: to, asset: xlm, amount: '0.0000001' }),
        Operation.liquidityPoolDeposit({
          liquidityPoolId: 'ab'.repeat(32),
          maxAmountA: '1000000',
          maxAmountB: '1',
          minPrice: '1',
          maxPrice: '2',
        }),
      ),
      `Deposits up to 1,000,000 and up to 1 of the two assets of the liquidity pool abab…abab. Sends 0.0000001 XLM to ${short(to)}.`,
    ],
    [
      'a clawback',
      own(Operation.clawback({ asset: aqua, amount: '5', from: to })),
      `Takes 5 AQUA (${short(stranger.publicKey())}) back from ${short(to)}.`,
    ],
    [
      "changing a trustline's authorization",
      own(Operation.setTrustLineFlags({ trustor: to, asset: aqua, flags: { authorized: true } })),
      `Changes whether ${short(to)} may hold and use AQUA.`,
    ],
    [
      'a sponsorship',
      own(
        Operation.beginSponsoringFutureReserves({ sponsoredId: to }),
        Operation.createAccount({ destination: to, startingBalance: '0' }),
        Operation.endSponsoringFutureReserves({ source: to }),
      ),
      `Creates the account ${short(to)} and sends 0 XLM to it.`,
    ],
    [
      'another payer of the reserve of pool shares',
      own(Operation.revokeTrustlineSponsorship({ account: to, asset: new LiquidityPoolId('ab'.repeat(32)) })),
      'Changes who pays a reserve.',
    ],
    [
      'a new account that the wallet and another account will control',
      own(
        Operation.createAccount({ destination: to, startingBalance: '2' }),
        Operation.setOptions({
          source: to,
          masterWeight: 0,
          signer: { ed25519PublicKey: sponsor.publicKey(), weight: 1 },
        }),
        Operation.setOptions({ source: to, signer: { ed25519PublicKey: from, weight: 1 } }),
      ),
      `Creates the account ${short(to)} and sends 2 XLM to it. It has 3 more effects, listed below.`,
    ],
    [
      'a trustline and an offer',
      own(
        Operation.changeTrust({ asset: aqua }),
        Operation.manageSellOffer({ selling: xlm, buying: aqua, amount: '1', price: '1' }),
      ),
      `Offers 1 XLM for 1 AQUA (${short(stranger.publicKey())}). It has one more effect, listed below.`,
    ],
    [
      'an operation with another account as its source',
      build({ source: to, memo: Memo.none(), operations: [Operation.changeTrust({ asset: usdc })] }),
      `Lets ${short(to)} hold USDC issued by ${short(network.usdc.issuer)}.`,
    ],
    [
      'no time limit',
      build({ source: from, timebounds: { minTime: 0, maxTime: 0 } }),
      `Sends 2.50 USDC to ${short(to)}.`,
    ],
    [
      'a time limit of a week',
      build({ source: from, timebounds: { minTime: 0, maxTime: seconds + 604_800 } }),
      `Sends 2.50 USDC to ${short(to)}.`,
    ],
    [
      'a time limit in the past',
      build({ source: from, timebounds: { minTime: 0, maxTime: seconds - 1 } }),
      `Sends 2.50 USDC to ${short(to)}.`,
    ],
    [
      'another condition',
      build({ source: from, prepare: (builder) => builder.setMinAccountSequence('3') }),
      `Sends 2.50 USDC to ${short(to)}.`,
    ],
    ['a fee of 2 XLM', build({ source: from, fee: '20000000' }), `Sends 2.50 USDC to ${short(to)}.`],
    [
      'a contract call',
      calls(shop, 'buy', [address(from), number(5n)]),
      `Calls buy of the contract ${short(shop)}. Its effect is unknown.`,
    ],
    [
      'a contract call that pays',
      calls(
        shop,
        'buy',
        [address(from)],
        [entry({ root: invocation(shop, 'buy', [address(from)], [transfer()]) })],
      ),
      `Calls buy of the contract ${short(shop)}. Its effect is unknown. Sends 2.50 USDC to ${short(to)}.`,
    ],
    [
      'a transfer of a token',
      calls(network.usdc.contract, 'transfer', transferArgs()),
      `Sends 2.50 USDC to ${short(to)}.`,
    ],
    [
      'a limited approval',
      calls(network.usdc.contract, 'approve', approve(50_000_000n)),
      `Lets ${short(to)} spend up to 5.00 USDC.`,
    ],
    [
      'a revocation',
      calls(network.usdc.contract, 'approve', approve(0n)),
      `Revokes the right of ${short(to)} to spend your USDC.`,
    ],
    [
      'uploading the code of a contract',
      buildCall({
        source: from,
        auth: [],
        func: xdr.HostFunction.hostFunctionTypeUploadContractWasm(Buffer.alloc(4)),
      }),
      'Uploads contract code.',
    ],
    [
      'contract data',
      build({
        source: from,
        memo: Memo.none(),
        operations: [Operation.extendFootprintTtl({ extendTo: 100 })],
        prepare: (builder) => builder.setSorobanData(new SorobanDataBuilder().build()),
      }),
      'Pays to keep contract data for longer.',
    ],
  ])('%s', (_, transaction, title) => {
    const inspection = look(transaction)
    expect(formatInspection(inspection).title).toBe(title)
    expect(inspection.verdict).toBe('caution')
    expectReadable(inspection)
  })
  test('lists and maps in a call are written out, such as the site of a sign-in (SEP-45)', () => {
    const key = (name: string) => xdr.ScVal.scvSymbol(name)
    const values = [
      xdr.ScVal.scvMap([
        new xdr.ScMapEntry({ key: key('home_domain'), val: xdr.ScVal.scvString('evil.example\u202e') }),
        new xdr.ScMapEntry({ key: key('to'), val: address(to) }),
      ]),
      xdr.ScVal.scvVec([number(5n), xdr.ScVal.scvBytes(Buffer.of(1, 2)), xdr.ScVal.scvVoid()]),
      xdr.ScVal.scvVec(Array(500).fill(number(10n ** 20n))),
    ]
    const { lines } = formatInspection(look(calls(shop, 'web_auth_verify', values)))
    const shown = lines.map(({ value }) => value)
    expect(shown[0]).toBe(`{home_domain: "evil.example\\u{202e}", to: ${to}}`)
    expect(shown[1]).toBe('[5, "0102", none]')
    expect(shown[2]).toMatch(/^\[1[\d, ]{998}…$/)
  })
  test('a signature by another party is reported', () => {
    const transaction = own(Operation.payment({ destination: to, asset: xlm, amount: '5' }))
    transaction.sign(stranger)
    expect(look(transaction)).toMatchObject({
      verdict: 'caution',
      findings: [{ code: 'FOREIGN_SIGNATURE' }, {}],
    })
  })
  test('an asset that imitates USDC is named with its issuer', () => {
    const transaction = own(Operation.changeTrust({ asset: new Asset('USDC', stranger.publicKey()) }))
    const inspection = look(transaction)
    expect(formatInspection(inspection).title).toBe(
      `Lets your account hold USDC issued by ${short(stranger.publicKey())}.`,
    )
    expect(inspection).toMatchObject({ verdict: 'caution', findings: [{ code: 'NOT_USDC' }, {}] })
  })
  test.each<[string, string]>([
    ['a text', 'Hello, world!'],
    ['a text in another alphabet', 'こんにちは、世界！\n\tさようなら'],
    [
      'a sign-in with only site and account',
      `shop.example wants you to sign in with your Stellar account:\n${from}`,
    ],
    [
      'a sign-in with a chain ID instead of a network',
      text().replace('Network: testnet', 'Chain ID: testnet'),
    ],
    ['a sign-in with a CAIP-2 chain ID', text().replace('Network: testnet', 'Chain ID: stellar:testnet')],
  ])('%s', (_, message) => {
    const inspection = sign(message)
    expect(inspection.verdict).toBe('caution')
    expectReadable(inspection)
  })
  test('an approval of tokens of another account names their owner', () => {
    const values = [address(to), address(from), number(5n), ledger]
    expect(formatInspection(look(calls(network.usdc.contract, 'approve', values))).title).toBe(
      `For ${short(to)}: Lets ${short(from)} spend up to 0.0000005 USDC.`,
    )
  })
  test.each<[string, string, Parameters<typeof challenge>[0]]>([
    ['of the parent domain of the page', 'https://app.shop.example', undefined],
    [
      'for a user of the account',
      'https://shop.example',
      ({ auth }) => [
        Operation.manageData({
          ...auth,
          source: new MuxedAccount(new Account(from, '0'), '77').accountId(),
        }),
      ],
    ],
  ])('a challenge %s gets the verdict caution', (_, origin, operations) => {
    const inspection = inspect({ transaction: challenge(operations) }, { ...options, origin })
    expect(inspection.verdict).toBe('caution')
    expect(inspection.kind).toBe('signIn')
    expectReadable(inspection)
  })
  test('a challenge for a user of the account gets the verdict caution in that user’s wallet too', () => {
    const address = new MuxedAccount(new Account(from, '0'), '77').accountId()
    const transaction = challenge(({ auth }) => [
      Operation.manageData({ ...auth, source: address }),
      Operation.manageData({ name: 'more', value: 'x', source: sponsor.publicKey() }),
    ])
    expect(inspect({ transaction }, { ...options, address, origin: 'https://shop.example' }).verdict).toBe(
      'caution',
    )
  })
  test('a challenge by a server at another host gets the verdict caution', () => {
    const transaction = challenge(({ auth, domain }) => [
      Operation.manageData(auth),
      Operation.manageData({ ...domain, value: 'auth.shop.example' }),
    ])
    const inspection = inspect({ transaction }, { ...options, origin: 'https://shop.example' })
    expect(inspection).toMatchObject({ kind: 'signIn', verdict: 'caution', findings: [{ code: 'SIGN_IN' }] })
    expectReadable(inspection)
  })
})

describe('a request that gives the account away, or hides what it does, is refused', () => {
  const everything = (1n << 63n) - 1n
  const pay = Operation.payment({ destination: to, asset: xlm, amount: '1' })
  test.each<[string, Transaction, string]>([
    [
      'another signer',
      own(Operation.setOptions({ signer: { ed25519PublicKey: to, weight: 1 } })),
      `Gives ${short(to)} control of your account.`,
    ],
    [
      'a new signer, hidden behind a payment',
      own(pay, Operation.setOptions({ signer: { ed25519PublicKey: to, weight: 1 } })),
      `Gives ${short(to)} control of your account.`,
    ],
    [
      'a new signer, hidden behind a home domain',
      own(
        Operation.setOptions({ homeDomain: 'shop.example', signer: { ed25519PublicKey: to, weight: 255 } }),
      ),
      `Gives ${short(to)} control of your account.`,
    ],
    [
      'a new signer that is a hash',
      own(Operation.setOptions({ signer: { sha256Hash: Buffer.alloc(32, 7), weight: 1 } })),
      'Gives control of your account to anyone who knows a certain secret.',
    ],
    [
      'a pre-authorized transaction',
      own(Operation.setOptions({ signer: { preAuthTx: Buffer.alloc(32, 7), weight: 1 } })),
      'Allows one transaction, which is not shown, to be executed for your account.',
    ],
    [
      'a master weight of zero',
      own(Operation.setOptions({ masterWeight: 0 })),
      'Stops the key of your account from signing for it.',
    ],
    [
      'other thresholds',
      own(Operation.setOptions({ lowThreshold: 0, medThreshold: 0, highThreshold: 0 })),
      'Changes who controls your account.',
    ],
    [
      'another signer of the wallet, even if the account is new',
      build({
        source: to,
        memo: Memo.none(),
        operations: [
          Operation.createAccount({ destination: from, startingBalance: '2' }),
          Operation.setOptions({ source: from, signer: { ed25519PublicKey: to, weight: 1 } }),
        ],
      }),
      `Gives ${short(to)} control of your account.`,
    ],
    [
      'a new weight of the wallet in an account that it may control',
      own(Operation.setOptions({ source: to, signer: { ed25519PublicKey: from, weight: 1 } })),
      `Gives ${short(from)} control of ${short(to)}.`,
    ],
    [
      'another signer of an account that the wallet may control',
      own(Operation.setOptions({ source: to, signer: { ed25519PublicKey: sponsor.publicKey(), weight: 1 } })),
      `Gives ${short(sponsor.publicKey())} control of ${short(to)}.`,
    ],
    [
      "removing the wallet's own key from another account",
      build({
        source: to,
        memo: Memo.none(),
        operations: [Operation.setOptions({ signer: { ed25519PublicKey: from, weight: 0 } })],
      }),
      `Removes ${short(from)} from the signers of ${short(to)}.`,
    ],
    [
      'a merge',
      own(Operation.accountMerge({ destination: to })),
      `Closes your account and sends everything in it to ${short(to)}.`,
    ],
    [
      'a merge, hidden behind a trustline',
      own(Operation.changeTrust({ asset: usdc }), Operation.accountMerge({ destination: to })),
      `Closes your account and sends everything in it to ${short(to)}.`,
    ],
    [
      'a merge in which the operation has its own source',
      build({
        source: to,
        memo: Memo.none(),
        operations: [Operation.accountMerge({ source: from, destination: to })],
      }),
      `Closes your account and sends everything in it to ${short(to)}.`,
    ],
    [
      'bumping to the highest sequence number',
      own(Operation.bumpSequence({ bumpTo: `${everything}` })),
      'Makes your account unusable forever.',
    ],
    [
      'an approval of everything',
      calls(network.usdc.contract, 'approve', approve(everything)),
      `Lets ${short(to)} spend all of your USDC.`,
    ],
    [
      'an approval of a billion tokens',
      calls(network.usdc.contract, 'approve', approve(10n ** 16n)),
      `Lets ${short(to)} spend all of your USDC.`,
    ],
    [
      'an approval of all of another token',
      calls(shop, 'approve', approve((1n << 127n) - 1n)),
      `Lets ${short(to)} spend all of your tokens of the contract ${short(shop)}.`,
    ],
    [
      'an approval inside a call',
      calls(
        shop,
        'buy',
        [address(from)],
        [
          entry({
            root: invocation(
              shop,
              'buy',
              [address(from)],
              [invocation(network.usdc.contract, 'approve', approve(everything))],
            ),
          }),
        ],
      ),
      `Lets ${short(to)} spend all of your USDC.`,
    ],
    [
      'an approval together with a call',
      calls(
        shop,
        'buy',
        [address(from)],
        [entry({ root: invocation(network.usdc.contract, 'approve', approve(everything)) })],
      ),
      `Lets ${short(to)} spend all of your USDC.`,
    ],
    [
      'USDC of another issuer',
      own(Operation.payment({ destination: to, asset: new Asset('USDC', pubnet.usdc.issuer), amount: '1' })),
      'The token is not the USDC of this network.',
    ],
    ['a fee of 200 XLM', build({ source: from, fee: '2000000000' }), 'The network fee is too high.'],
  ])('%s', (_, transaction, title) => {
    const inspection = look(transaction)
    expect(formatInspection(inspection).title).toBe(title)
    expect(inspection.verdict).toBe('refuse')
    expectReadable(inspection)
  })
  test('does not refuse a merge into an account that the wallet knows, or an approval for such an account', () => {
    for (const transaction of [
      own(Operation.accountMerge({ destination: to })),
      calls(network.usdc.contract, 'approve', approve(everything)),
    ])
      expect(look(transaction, { known: { [to]: 'Savings' } }).verdict).toBe('caution')
  })
  test.each([
    ['small transfer', 'transfer', [address(from), address(to), number(1n)], /Sends 1 raw unit of the token/],
    [
      'large transfer',
      'transfer',
      [address(from), address(to), number(10n ** 30n)],
      /Sends 10{30} raw units/,
    ],
    [
      'large approval',
      'approve',
      [address(from), address(to), number(10n ** 20n), ledger],
      /Lets \S+ spend up to 10{20} raw/,
    ],
    [
      'unlimited approval by another',
      'approve',
      [address(to), address(from), number(everything), ledger],
      /It has one more effect, listed below\.$/,
    ],
  ] as const)(
    'a %s of a made-up token does not hide the USDC that its contract takes',
    (_, name, values, also) => {
      const takes = [address(from), address(to), number(25_000_000n)]
      const root = invocation(shop, name, [...values], [invocation(network.usdc.contract, 'transfer', takes)])
      const authorization = entry({ root })
      const call = calls(shop, name, [...values], [authorization])
      for (const request of [{ transaction: call.toXDR() }, { authEntry: authorization.toXDR('base64') }])
        expect(formatInspection(inspect(request, options)).title).toMatch(
          new RegExp(`^Sends 2\\.50 USDC to ${short(to)}\\. ${also.source}`),
        )
    },
  )
  test.each<[string, Xdr.Operation[], string]>([
    [
      'a payment of a made-up asset does not hide one of XLM',
      [
        Operation.payment({ destination: to, asset: aqua, amount: '900000000000' }),
        Operation.payment({ destination: sponsor.publicKey(), asset: xlm, amount: '5' }),
      ],
      `Sends 5 XLM to ${short(sponsor.publicKey())}. Sends 900,000,000,000 AQUA (${short(stranger.publicKey())}) to ${short(to)}.`,
    ],
    [
      'a swap of a made-up asset does not hide a payment of XLM',
      [
        Operation.pathPaymentStrictReceive({
          sendAsset: aqua,
          sendMax: '900000000000',
          destination: to,
          destAsset: xlm,
          destAmount: '1',
        }),
        Operation.payment({ destination: to, asset: xlm, amount: '5' }),
      ],
      `Sends 5 XLM to ${short(to)}. Sends 1 XLM to ${short(to)} and pays at most 900,000,000,000 AQUA (${short(stranger.publicKey())}) for it.`,
    ],
    [
      'an offer of a made-up asset does not hide one of XLM',
      [
        Operation.manageSellOffer({ selling: aqua, buying: xlm, amount: '900000000000', price: '1' }),
        Operation.manageSellOffer({ selling: xlm, buying: aqua, amount: '5', price: '1' }),
      ],
      `Offers 5 XLM for 5 AQUA (${short(stranger.publicKey())}). Offers 900,000,000,000 AQUA (${short(stranger.publicKey())}) for 900,000,000,000 XLM.`,
    ],
    [
      'a small payment does not hide a balance that the wallet and others may claim',
      [
        Operation.payment({ destination: to, asset: xlm, amount: '0.0000001' }),
        Operation.createClaimableBalance({
          asset: usdc,
          amount: '5',
          claimants: [new Claimant(from), new Claimant(to)],
        }),
      ],
      `Sets aside 5.00 USDC for ${short(from)} and ${short(to)} to claim. It has one more effect, listed below.`,
    ],
  ])('%s', (_, operations, title) => {
    expect(formatInspection(look(own(...operations))).title).toBe(title)
  })
  test('cautions a wallet that only pays a fee bump, and refuses every other signer', () => {
    const gives = (source?: string) => [
      Operation.setOptions({
        ...(source && { source }),
        signer: { ed25519PublicKey: sponsor.publicKey(), weight: 1 },
      }),
    ]
    const bumped = (source: string, payer: Keypair, operations = gives(source)) => {
      const inner = build({ source, memo: Memo.none(), operations })
      return inspect(
        {
          transaction: TransactionBuilder.buildFeeBumpTransaction(
            payer,
            '200',
            inner,
            networkPassphrase,
          ).toXDR(),
        },
        options,
      )
    }
    const cautioned = bumped(to, customer)
    expect(cautioned.verdict).toBe('caution')
    expect(bumped(to, customer, gives()).verdict).toBe('caution')
    expect(formatInspection(cautioned).title).toBe(
      `Gives ${short(sponsor.publicKey())} control of ${short(to)}.`,
    )
    expect(bumped(from, customer).verdict).toBe('refuse')
    expect(bumped(to, sponsor).verdict).toBe('refuse')
    expect(look(own(...gives(to))).verdict).toBe('refuse')
  })
  test('refuses a transaction for another network', () => {
    const { networkPassphrase: other } = pubnet
    const inspection = inspect({ transaction: own(pay).toXDR(), networkPassphrase: other }, options)
    expect(formatInspection(inspection).title).toBe('The request is for another network.')
    expect(inspection.verdict).toBe('refuse')
    expect(inspect({ transaction: own(pay).toXDR(), networkPassphrase }, options).verdict).toBe('caution')
  })
  test('refuses a fee above the wallet’s own limit', () => {
    const inspection = look(build({ source: from, fee: '20000000' }), { maxFee: 10_000_000n })
    expect(inspection.verdict).toBe('refuse')
    expect(formatInspection(inspection).title).toBe('The network fee is too high.')
  })
  test.each<[string, string]>([
    ['a sign-in elsewhere', text().replaceAll('shop.example', 'evil.example')],
    ['a sign-in for another account', text().replace(from, to)],
    ['a sign-in on another network', text().replace('testnet', 'pubnet')],
    [
      'a sign-in that has expired',
      text().replace(/Expiration Time: .*/, 'Expiration Time: 2026-11-20T17:00:00Z'),
    ],
    ['a sign-in with text after its layout', `${text()}\nand more`],
    ['a sign-in for another chain', text().replace('Stellar account', 'Solana account')],
  ])('%s', (_, message) => {
    const inspection = sign(message)
    expect(inspection.verdict).toBe('refuse')
    expectReadable(inspection)
  })
  test.each<[string, Parameters<typeof challenge>[0]]>([
    [
      'elsewhere',
      ({ auth, domain }) => [
        Operation.manageData({ ...auth, name: 'evil.example auth' }),
        Operation.manageData(domain),
      ],
    ],
    [
      'for another account',
      ({ auth, domain }) => [
        Operation.manageData({ ...auth, source: sponsor.publicKey() }),
        Operation.manageData(domain),
      ],
    ],
    ['with a payment', ({ auth, domain }) => [Operation.manageData(auth), Operation.manageData(domain), pay]],
  ])('a challenge %s', (_, operations) => {
    const inspection = inspect(
      { transaction: challenge(operations) },
      { ...options, origin: 'https://shop.example' },
    )
    expect(inspection.verdict).toBe('refuse')
    expectReadable(inspection)
  })
  test.each<[string, string, string]>([
    [
      'of the user’s own account',
      challenge(undefined, { source: wallet.publicKey(), signers: [wallet] }),
      'The transaction is not a valid sign-in.',
    ],
    [
      'for another account',
      challenge(({ auth }) => [Operation.manageData({ ...auth, source: sponsor.publicKey() })]),
      `The sign-in is for the account ${sponsor.publicKey()}, not for ${from}.`,
    ],
    [
      'for no account',
      challenge(({ auth: { source: _, ...auth } }) => [Operation.manageData(auth)]),
      'The transaction is not a valid sign-in.',
    ],
    [
      'with a payment',
      challenge(({ auth }) => [Operation.manageData(auth), pay]),
      'The transaction does more than sign in.',
    ],
    [
      'that the site did not sign',
      challenge(undefined, { signers: [] }),
      'The signatures of a sign-in on this network are missing.',
    ],
  ])('the title of a refused challenge %s says what is wrong', (_, transaction, title) => {
    const inspection = inspect({ transaction }, { ...options, origin: 'https://shop.example' })
    expect(formatInspection(inspection).title).toBe(title)
    expect(inspection.verdict).toBe('refuse')
  })
  test.each([
    ['has expired', { max: seconds - 1 }],
    ['is valid for a week, and not signed by its site', { max: seconds + 604_800, signers: [] }],
    ['is not valid yet', { min: seconds + 601, max: seconds + 900 }],
  ])('a challenge that %s is refused because of its time bounds', (_, bounds) => {
    const transaction = challenge(undefined, bounds)
    const inspection = inspect({ transaction }, { ...options, origin: 'https://shop.example' })
    expect(inspection.verdict).toBe('refuse')
    expect(formatInspection(inspection).title).toBe(
      'The sign-in has expired, is not valid yet, or is valid for too long.',
    )
  })
  test('a challenge of another site names both sites', () => {
    const transaction = challenge(({ auth, domain }) => [
      Operation.manageData({ ...auth, name: 'evil.example auth' }),
      Operation.manageData(domain),
    ])
    const inspection = inspect({ transaction }, { ...options, origin: 'https://shop.example' })
    expect(formatInspection(inspection).title).toBe(
      'The sign-in is for "evil.example", but "shop.example" requests it.',
    )
  })
})

test('a text of several lines is shown in full, and shortened in the title', () => {
  const { title, lines } = formatInspection(sign(`Welcome!\n\n${'I agree. '.repeat(200)}Bye.`))
  expect(title).toBe(
    'Signs the text "Welcome!↵↵I agree. I agree. I agree. I agree. I ag… (1814 characters)".',
  )
  expect(lines[0]?.value).toBe(`"Welcome!↵↵${'I agree. '.repeat(200)}Bye."`)
})

test('hex bytes in a text are shown in full', () => {
  const hex = 'f8'.repeat(100)
  const shown = (text: string) => formatInspection(sign(text)).lines.map(({ value }) => value)
  expect(shown(`I sign 0x${hex}.`)[0]).toBe(`"I sign 0x${hex}."`)
  const signIn = `shop.example wants you to sign in with your Stellar account:\n${from}\n\nI sign 0x${hex}.`
  expect(shown(signIn)).toContain(`"I sign 0x${hex}."`)
})

test('a data entry is shown with its value', () => {
  const shownValue = (value: string | Buffer) =>
    formatInspection(look(own(Operation.manageData({ name: 'config', value })))).lines.find(
      ({ label }) => label === 'value',
    )?.value
  expect(shownValue('dark\u202e')).toBe('"dark\\u{202e}"')
  expect(shownValue('ff00')).toBe('"ff00"')
  for (const bytes of ['ff00', 'ff'.repeat(64)]) expect(shownValue(Buffer.from(bytes, 'hex'))).toBe(bytes)
  expect(look(own(Operation.manageData({ name: 'config', value: null }))).lines).not.toContainEqual(
    expect.objectContaining({ field: 'value' }),
  )
})

test('the account of a revoked sponsorship is shown', () => {
  const revoked = [
    Operation.revokeAccountSponsorship({ account: to }),
    Operation.revokeOfferSponsorship({ seller: to, offerId: '7' }),
  ]
  for (const operation of revoked)
    expect(formatInspection(look(own(operation))).lines).toContainEqual({ label: 'Account', value: to })
})

test('a balance that only the wallet may claim goes to the wallet', () => {
  const claimants = [new Claimant(from)]
  const { moves } = look(own(Operation.createClaimableBalance({ asset: usdc, amount: '5', claimants })))
  expect(moves).toMatchObject([{ from, to: from }])
})

test('a clawback is returned as a transfer', () => {
  const { moves } = look(own(Operation.clawback({ asset: aqua, amount: '5', from: to })))
  expect(moves).toMatchObject([{ direction: 'in', amount: 50_000_000n, from: to, to: from }])
})

test('offers and swaps are returned as transfers, and approvals as grants', () => {
  const offer = Operation.manageSellOffer({ selling: xlm, buying: usdc, amount: '10', price: '0.1' })
  expect(look(own(offer)).moves).toEqual([
    { direction: 'out', asset: 'native', amount: 100_000_000n, decimals: 7, from, to: '' },
    {
      direction: 'in',
      asset: `USDC:${network.usdc.issuer}`,
      amount: 10_000_000n,
      decimals: 7,
      from: '',
      to: from,
    },
  ])
  expect(look(calls(network.usdc.contract, 'approve', approve(5n))).grants).toEqual([
    { asset: network.usdc.contract, amount: 5n, decimals: 7, from, to, until: undefined },
  ])
})
