import type { xdr as Xdr } from '@stellar/stellar-sdk'
import { formatAmount } from '../../../redeemkit/core/amount.ts'
import type { ExpectedTransaction } from '../../../redeemkit/stellar/expected.ts'
import {
  Asset,
  Keypair,
  nativeToScVal,
  Operation,
  scValToBigInt,
  scValToNative,
  xdr,
} from '../../../redeemkit/stellar/sdk.ts'
import { signTransaction } from '../../../redeemkit/stellar/transaction/signTransaction.ts'
import type { ContractContext } from '../../chains/stellar/ledger/contract.ts'
import { fakeStellarWallet } from '../../testing/wallet/fakeStellarWallet.ts'
import {
  check,
  type DemoPart,
  printRefusals,
  printTable,
  type Refusal,
  refused,
  refusedBeforePrompt,
  short,
  usdcTransferOf,
} from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'

const cents = 150
const amount = 15_000_000n

export const stellar: DemoPart = {
  title: 'Stellar: pay USDC from a wallet without XLM, and reject thirteen malicious requests',
  run: async (demo, progress) => {
    const payment = paymentOf(demo, 'demo-1')
    const next = paymentOf(demo, 'demo-2')
    const purchase = purchaseOf(payment)
    const paid: string[][] = []
    for (const step of [payment, purchase]) {
      progress(step.what)
      paid.push(await payWithoutXlm(step))
    }
    const rows: Refusal[] = []
    const changed = [
      ...attacks(demo).map((attack) => [next, attack] as const),
      ...callAttacks(demo).map((attack) => [purchase, attack] as const),
    ]
    for (const [step, attack] of changed) {
      progress(`the service builds: ${attack[0]}`)
      rows.push(await changedTransactionRefused(step, attack))
    }
    progress('another network')
    rows.push(await otherNetworkRefused(next))
    progress('what the service rejects')
    rows.push(...(await refusedByService(next)))
    return () => {
      printTable('Stellar (simulated ledger): sponsored USDC transfers', {
        head: ['what', 'hash', "alice's USDC before → after", "alice's XLM", 'paid by the sponsor'],
        rows: paid,
        right: [3, 4],
      })
      printRefusals('Stellar: rejected attacks', rows, '"client" rejects before the wallet is prompted.')
    }
  },
}

type Customer = ReturnType<typeof customerOf>

function customerOf(demo: DemoSandbox) {
  const { alice } = demo.stellar.accounts
  const { networkPassphrase } = demo.stellar
  return {
    demo,
    wallet: fakeStellarWallet({ keypair: Keypair.fromSecret(alice.secretKey), networkPassphrase }),
    service: usdcTransferOf(demo, { blockchain: 'stellar', wallet: alice.address }),
  }
}

type Step = Customer & {
  what: string
  request: Parameters<Customer['service']['prepare']>[0]
  expected: (sponsor: string) => ExpectedTransaction
  latestLedgerOf: (answer: Record<string, unknown>) => number | undefined
}

function paymentOf(demo: DemoSandbox, memo: string): Step {
  const { alice, bob } = demo.stellar.accounts
  return {
    ...customerOf(demo),
    what: 'USDC to bob',
    request: { destination: bob.address, amount: { cents }, paymentId: memo },
    expected: (sponsor) => ({ kind: 'payment', from: alice.address, to: bob.address, amount, memo, sponsor }),
    latestLedgerOf: () => undefined,
  }
}

function purchaseOf(customer: Customer): Step {
  const { alice, bob } = customer.demo.stellar.accounts
  const call = {
    contract: customer.demo.stellar.declareContract({ buy }, 'demo shop'),
    functionName: 'buy',
    args: [
      nativeToScVal(alice.address, { type: 'address' }),
      nativeToScVal(bob.address, { type: 'address' }),
      nativeToScVal(amount, { type: 'i128' }),
    ].map((arg) => arg.toXDR('base64')),
  }
  const spends = { to: bob.address, amount }
  return {
    ...customer,
    what: 'a merchant contract that pays bob',
    request: { destination: bob.address, amount: { cents }, call },
    expected: (sponsor) => ({ kind: 'call', from: alice.address, sponsor, ...call, spends }),
    latestLedgerOf: (answer) => Number(answer.validUntilLedger) - 60,
  }
}

async function prepare({ service, request, expected, latestLedgerOf }: Step) {
  const { id, transaction, sponsor, answer } = await service.prepare(request)
  const latestLedger = latestLedgerOf(answer)
  return {
    id,
    transaction,
    options: {
      environment: 'sandbox' as const,
      expected: expected(sponsor),
      ...(latestLedger !== undefined && { latestLedger }),
    },
  }
}

/** Submits a sponsored payment twice and checks that it is executed once. */
async function payWithoutXlm(step: Step): Promise<string[]> {
  const { demo, service, wallet, what } = step
  const before = balancesOf(demo)
  const { id, transaction, options } = await prepare(step)
  const signed = { id, transaction: await signTransaction(wallet, { ...options, transaction }) }
  const hash = await service.submit(signed)
  check((await service.submit(signed)) === hash, 'submitting again returns the same transfer')
  const after = balancesOf(demo)
  check(before.alice - after.alice === amount && after.bob - before.bob === amount, 'the USDC moved once')
  check(before.aliceXlm === 0n && after.aliceXlm === 0n, 'alice has no XLM')
  check(after.sponsorXlm < before.sponsorXlm, 'a sponsor paid the fee')
  return [
    what,
    short(hash),
    `${units(before.alice)} → ${units(after.alice)}`,
    `${after.aliceXlm}`,
    `${before.sponsorXlm - after.sponsorXlm} stroops`,
  ]
}

async function changedTransactionRefused(step: Step, [what, errorName, change]: Attack): Promise<Refusal> {
  const { transaction, options } = await prepare(step)
  const built = rebuild(transaction, change)
  const why = await refusedBeforePrompt(
    step.wallet.prompts,
    () => signTransaction(step.wallet, { ...options, transaction: built }),
    errorName,
  )
  return [`service builds: ${what}`, 'client', why]
}

async function otherNetworkRefused(step: Step): Promise<Refusal> {
  const { transaction, options } = await prepare(step)
  const networkPassphrase = 'Public Global Stellar Network ; September 2015'
  const why = await refusedBeforePrompt(
    step.wallet.prompts,
    () => signTransaction(step.wallet, { ...options, transaction, networkPassphrase }),
    'WrongTransactionNetworkError',
  )
  return ['the service asks for another network', 'client', why]
}

/** Checks that the service rejects a changed or unsigned transaction. */
async function refusedByService(step: Step): Promise<Refusal[]> {
  const { demo, service, wallet } = step
  const { id, transaction, options } = await prepare(step)
  const signed = await signTransaction(wallet, { ...options, transaction })
  const cheaper = rebuild(signed, {
    operations: (list) => list.map(() => paid(demo, demo.stellar.accounts.bob.address, '0.0000001')),
  })
  const less = await refused(() => service.submit({ id, transaction: cheaper }), 'IntentMismatchError')
  const unsigned = await refused(() => service.submit({ id, transaction }), 'InvalidUsdcAuthorizationError')
  return [
    ['the customer pays less than the prepared amount', 'service', less],
    ['the customer has not signed', 'service', unsigned],
  ]
}

function buy(context: ContractContext, from: Xdr.ScVal, to: Xdr.ScVal, price: Xdr.ScVal): undefined {
  const customer = String(scValToNative(from))
  context.requireAuth(customer)
  context.transferUsdc(customer, String(scValToNative(to)), scValToBigInt(price))
}

function balancesOf({ stellar: { accounts, sponsors, balanceOf } }: DemoSandbox) {
  return {
    alice: balanceOf(accounts.alice.address).usdc ?? 0n,
    bob: balanceOf(accounts.bob.address).usdc ?? 0n,
    aliceXlm: balanceOf(accounts.alice.address).xlm,
    sponsorXlm: sponsors.reduce((sum, sponsor) => sum + balanceOf(sponsor).xlm, 0n),
  }
}

type Change = {
  operations?: (list: readonly Xdr.Operation[]) => readonly Xdr.Operation[]
  source?: string
  /** Fee in stroops. */
  fee?: number
  /** End of the time bounds, in unix seconds. */
  maxTime?: number
}

type Attack = readonly [what: string, errorName: string, change: Change]

function attacks(demo: DemoSandbox): readonly Attack[] {
  const { accounts, usdc } = demo.stellar
  const [alice, thief] = [accounts.alice.address, accounts.carol.address]
  const more = (operation: Xdr.Operation): Change => ({ operations: (list) => [...list, operation] })
  const instead = (operation: Xdr.Operation): Change => ({ operations: () => [operation] })
  const worthless = new Asset(usdc.code, accounts.bob.address)
  return [
    ['an additional payment', 'ExtraOperationError', more(paid(demo, thief, '100'))],
    [
      'a new signer of the account',
      'ExtraOperationError',
      more(Operation.setOptions({ signer: { ed25519PublicKey: thief, weight: 255 }, source: alice })),
    ],
    [
      'the account merged into another',
      'RefusedTransactionError',
      instead(Operation.accountMerge({ destination: thief, source: alice })),
    ],
    ['the destination swapped', 'WrongPartyError', instead(paid(demo, thief, '1.5'))],
    ['the amount changed', 'WrongAmountError', instead(paid(demo, accounts.bob.address, '999'))],
    [
      'a token of the same name',
      'WrongAssetError',
      instead(
        Operation.payment({
          destination: accounts.bob.address,
          asset: worthless,
          amount: '1.5',
          source: alice,
        }),
      ),
    ],
    ['another source account', 'WrongPartyError', { source: thief }],
    ['the customer as source account, who pays the fee', 'WrongPartyError', { source: alice }],
    ['a fee of 5 XLM', 'RefusedTransactionError', { fee: 50_000_000 }],
    [
      'valid for ten years',
      'RefusedTransactionError',
      { maxTime: Math.floor(Date.now() / 1000) + 315_000_000 },
    ],
  ]
}

function callAttacks({ stellar: { accounts } }: DemoSandbox): readonly Attack[] {
  const change = (spoil: (root: Xdr.SorobanAuthorizedInvocation) => void): Change => ({
    operations: (list) => {
      for (const operation of list)
        for (const entry of operation.body().invokeHostFunctionOp().auth()) spoil(entry.rootInvocation())
      return list
    },
  })
  return [
    [
      'a contract call that authorizes more USDC',
      'WrongAmountError',
      change((root) => {
        const transfer = root.subInvocations()[0]?.function().contractFn()
        const [from, to] = transfer?.args() ?? []
        if (from && to) transfer?.args([from, to, nativeToScVal(999_000_000n, { type: 'i128' })])
      }),
    ],
    [
      'a contract call that authorizes a second transfer',
      'ExtraOperationError',
      change((root) => {
        const [transfer] = root.subInvocations()
        if (transfer) root.subInvocations([transfer, transfer])
      }),
    ],
    [
      'a contract call for another customer',
      'WrongCallError',
      change((root) => {
        const [, ...others] = root.function().contractFn().args()
        root
          .function()
          .contractFn()
          .args([nativeToScVal(accounts.carol.address, { type: 'address' }), ...others])
      }),
    ],
  ]
}

function paid(
  { stellar: { accounts, usdc } }: DemoSandbox,
  destination: string,
  amountText: string,
): Xdr.Operation {
  const asset = new Asset(usdc.code, usdc.issuer)
  return Operation.payment({ destination, asset, amount: amountText, source: accounts.alice.address })
}

function rebuild(transaction: string, change: Change): string {
  const envelope = xdr.TransactionEnvelope.fromXDR(transaction, 'base64')
  const inner = envelope.v1().tx()
  if (change.operations !== undefined) inner.operations([...change.operations(inner.operations())])
  if (change.source !== undefined)
    inner.sourceAccount(xdr.MuxedAccount.keyTypeEd25519(Keypair.fromPublicKey(change.source).rawPublicKey()))
  if (change.fee !== undefined) inner.fee(change.fee)
  if (change.maxTime !== undefined)
    inner
      .cond()
      .timeBounds()
      .maxTime(new xdr.Uint64(BigInt(change.maxTime)))
  return envelope.toXDR('base64')
}

function units(raw: bigint): string {
  return formatAmount(raw, { decimals: 7, minimumPlaces: 2 })
}
