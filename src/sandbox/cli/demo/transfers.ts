import { formatAmount } from '../../../redeemkit/core/amount/formatAmount.ts'
import { freeObject } from '../../../redeemkit/schema/values.ts'
import { signUsdcTransfer } from '../../../redeemkit/solana/usdcTransfer/signUsdcTransfer.ts'
import { Keypair, nativeToScVal, scValToBigInt, scValToNative } from '../../../redeemkit/stellar/sdk.ts'
import { signTransaction } from '../../../redeemkit/stellar/transaction/signTransaction.ts'
import type { ContractContext } from '../../chains/stellar/host/contract.ts'
import { fakeSolanaWallet } from '../../testing/wallet/fakeSolanaWallet.ts'
import { fakeStellarWallet } from '../../testing/wallet/fakeStellarWallet.ts'
import {
  check,
  clientOf,
  type DemoPart,
  printRefusals,
  type Refusal,
  refused,
  refusedBeforePrompt,
} from './demoPart.ts'
import type { DemoSandbox } from './demoSandbox.ts'
import { printTable, short } from './report.ts'

export const solana: DemoPart = transfersOn({
  name: 'Solana',
  coin: 'SOL',
  unit: 'lamports',
  open: ({ solana: { accounts, sponsor, usdcOf, solOf } }) => {
    const { alice } = accounts
    const wallet = fakeSolanaWallet({ keypair: alice })
    const toAmount = (cents: number) => BigInt(cents) * 10_000n
    return {
      blockchain: 'solana',
      accounts,
      prompts: wallet.prompts,
      toAmount,
      balanceOf: (owner) => ({ usdc: usdcOf(owner), coin: solOf(owner) }),
      sponsors: [sponsor],
      sign: async ({ transaction }, { destination: to, amount: { cents }, paymentId }) => {
        const terms = { from: alice.address, to, amount: toAmount(cents), paymentId }
        const expected = { environment: 'sandbox', ...terms } as const
        return (await signUsdcTransfer(wallet, { transaction, expected })).transaction
      },
      purchases: [],
    }
  },
})

export const stellar: DemoPart = transfersOn({
  name: 'Stellar',
  coin: 'XLM',
  unit: 'stroops',
  note: 'The ledger is simulated.',
  open: ({ stellar: { accounts, networkPassphrase, sponsors, balanceOf, declareContract } }) => {
    const { alice, bob, carol } = accounts
    const wallet = fakeStellarWallet({ keypair: Keypair.fromSecret(alice.secretKey), networkPassphrase })
    const toAmount = (cents: number) => BigInt(cents) * 100_000n
    // The merchant contract, which transfers USDC from the customer.
    const contract = declareContract(
      {
        buy: (context: ContractContext, from, to, price) => {
          const customer = String(scValToNative(from))
          context.requireAuth(customer)
          context.transferUsdc(customer, String(scValToNative(to)), scValToBigInt(price))
          return undefined
        },
      },
      'demo shop',
    )
    const purchase = (to: string): Terms => ({
      destination: to,
      amount: { cents },
      call: {
        contract,
        functionName: 'buy',
        args: [
          nativeToScVal(alice.address, { type: 'address' }),
          nativeToScVal(to, { type: 'address' }),
          nativeToScVal(toAmount(cents), { type: 'i128' }),
        ].map((arg) => arg.toXDR('base64')),
      },
    })
    return {
      blockchain: 'stellar',
      accounts,
      prompts: wallet.prompts,
      toAmount,
      balanceOf: (owner) => ({ usdc: balanceOf(owner).usdc ?? 0n, coin: balanceOf(owner).xlm }),
      sponsors,
      sign: ({ transaction, sponsor, answer }, { destination: to, amount, paymentId, call }) => {
        const spends = { to, amount: toAmount(amount.cents) }
        return signTransaction(wallet, {
          environment: 'sandbox',
          transaction,
          expected: {
            from: alice.address,
            sponsor,
            memo: paymentId,
            ...(call === undefined ? { kind: 'payment', ...spends } : { kind: 'call', ...call, spends }),
          },
          ...(call && { latestLedger: Number(answer.validUntilLedger) - 60 }),
        })
      },
      purchases: [
        {
          what: 'a merchant contract that pays bob',
          terms: purchase(bob.address),
          changed: purchase(carol.address),
        },
      ],
    }
  },
})

const cents = 150

/** What the customer requests from the service: a USDC transfer, or a call of a contract that transfers the USDC. */
type Terms = {
  destination: string
  amount: { cents: number }
  paymentId?: string
  call?: { contract: string; functionName: string; args: readonly string[] }
}

type Prepared = { id: string; transaction: string; sponsor: string; answer: Record<string, unknown> }

/** A chain on which a sponsor pays the fees of alice's USDC transfers. */
type Chain = {
  blockchain: 'solana' | 'stellar'
  accounts: Record<'alice' | 'bob' | 'carol', { address: string }>
  /** Requests that alice's wallet received. */
  prompts: readonly unknown[]
  toAmount: (cents: number) => bigint
  balanceOf: (owner: string) => { usdc: bigint; coin: bigint }
  sponsors: readonly string[]
  /** Signs for alice if the transaction has these terms, and returns it. */
  sign: (prepared: Prepared, terms: Terms) => Promise<string>
  /** Purchases besides the plain transfer, and the terms that a malicious service uses instead. */
  purchases: readonly { what: string; terms: Terms; changed: Terms }[]
}

/** Alice, who has no native coin, pays bob in USDC. The client rejects the transactions of a malicious service. */
function transfersOn(options: {
  name: string
  coin: string
  unit: string
  note?: string
  open: (demo: DemoSandbox) => Chain
}): DemoPart {
  const { name, coin, unit, open } = options
  return {
    title: `${name}: pay USDC from a wallet without ${coin}, and reject malicious transactions`,
    run: async (demo, progress) => {
      const chain = open(demo)
      const service = serviceOf(demo, chain)
      const { bob, carol } = chain.accounts
      const terms = { destination: bob.address, amount: { cents }, paymentId: 'demo-1' }
      const paid: string[][] = []
      for (const purchase of [{ what: 'USDC to bob', terms }, ...chain.purchases]) {
        progress(purchase.what)
        const { fee, ...row } = await payWithoutCoin(chain, service, purchase.terms)
        paid.push([purchase.what, row.hash, row.usdc, row.coin, `${fee} ${unit}`])
      }
      const next = { ...terms, paymentId: 'demo-2' }
      const attacks: (readonly [what: string, terms: Terms, changed: Terms])[] = [
        ['the destination swapped', next, { ...next, destination: carol.address }],
        ['the amount changed', next, { ...next, amount: { cents: 90_000 } }],
        ['another payment id', next, { ...next, paymentId: 'demo-3' }],
        ...chain.purchases.map(
          ({ what, terms, changed }) => [`${what}: another receiver`, terms, changed] as const,
        ),
      ]
      const rows: Refusal[] = []
      for (const [what, expected, changed] of attacks) {
        progress(`the service builds: ${what}`)
        const prepared = await service.prepare(changed)
        const why = await refusedBeforePrompt(chain.prompts, () => chain.sign(prepared, expected))
        rows.push([`service builds: ${what}`, 'client', why])
      }
      progress('what the service rejects')
      rows.push(...(await refusedByService(chain, service, next)))
      return () => {
        printTable(`${name}: sponsored USDC transfers`, {
          head: ['what', 'hash', "alice's USDC before → after", `alice's ${coin}`, 'paid by the sponsor'],
          rows: paid,
          right: [3, 4],
          ...(options.note !== undefined && { note: options.note }),
        })
        printRefusals(`${name}: rejected attacks`, rows, '"client" rejects before the wallet is prompted.')
      }
    },
  }
}

type Service = ReturnType<typeof serviceOf>

/** Alice's client for the two routes that prepare and submit a sponsored USDC transfer. */
function serviceOf(demo: DemoSandbox, { blockchain, accounts: { alice } }: Chain) {
  const client = clientOf(demo, { blockchain, wallet: alice.address })
  const post = (path: string, body: object) =>
    client.request({ method: 'POST', path, body, answer: freeObject, repeatable: false })
  return {
    /** Requests the transaction that the customer signs. */
    prepare: async (terms: Terms): Promise<Prepared> => {
      const answer = await post('/sandbox/usdc-transfer', { blockchain, ...terms })
      const { id, transaction, sponsor } = answer
      check(typeof id === 'string' && typeof transaction === 'string', 'the service returns a transaction')
      check(typeof sponsor === 'string' && sponsor !== alice.address, 'a sponsor pays the fee')
      return { id, transaction, sponsor, answer }
    },
    /** @returns the hash of the confirmed transfer */
    submit: async (signed: { id: string; transaction: string }): Promise<string> => {
      const { hash } = await post('/sandbox/usdc-transfer/submit', signed)
      check(typeof hash === 'string', 'the service returns a hash')
      return hash
    },
  }
}

/** Submits a sponsored transfer twice, and checks that it is executed once. */
async function payWithoutCoin(chain: Chain, service: Service, terms: Terms) {
  const { prompts, toAmount } = chain
  const [before, promptsBefore] = [balancesOf(chain), prompts.length]
  const prepared = await service.prepare(terms)
  const signed = { id: prepared.id, transaction: await chain.sign(prepared, terms) }
  check(prompts.length > promptsBefore, 'the wallet is prompted')
  const hash = await service.submit(signed)
  check((await service.submit(signed)) === hash, 'submitting again returns the same transfer')
  const after = balancesOf(chain)
  const amount = toAmount(cents)
  check(before.alice - after.alice === amount && after.bob - before.bob === amount, 'the USDC moved once')
  check(before.coin === 0n && after.coin === 0n, 'alice has no native coin')
  check(after.sponsors < before.sponsors, 'a sponsor paid the fee')
  const usdc = (units: bigint) => formatAmount(units / toAmount(1), { decimals: 2, minimumPlaces: 2 })
  return {
    hash: short(hash),
    usdc: `${usdc(before.alice)} → ${usdc(after.alice)}`,
    coin: `${after.coin}`,
    fee: before.sponsors - after.sponsors,
  }
}

/** Checks that the service rejects an unsigned transaction, and one that pays less than was prepared. */
async function refusedByService(chain: Chain, service: Service, terms: Terms): Promise<Refusal[]> {
  const { id, transaction } = await service.prepare(terms)
  const unsigned = await refused(() => service.submit({ id, transaction }), 'InvalidUsdcAuthorizationError')
  const less = { ...terms, amount: { cents: 1 } }
  const cheaper = await chain.sign(await service.prepare(less), less)
  const mismatch = await refused(() => service.submit({ id, transaction: cheaper }), 'IntentMismatchError')
  return [
    ['customer has not signed', 'service', unsigned],
    ['customer pays less than was prepared', 'service', mismatch],
  ]
}

function balancesOf({ accounts: { alice, bob }, sponsors, balanceOf }: Chain) {
  const { usdc, coin } = balanceOf(alice.address)
  return {
    alice: usdc,
    bob: balanceOf(bob.address).usdc,
    coin,
    sponsors: sponsors.reduce((sum, sponsor) => sum + balanceOf(sponsor).coin, 0n),
  }
}
