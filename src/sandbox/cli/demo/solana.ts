import { formatBase64 } from '../../../redeemkit/core/base64.ts'
import { plainDollars } from '../../../redeemkit/evm/findingTexts.ts'
import { tokenAccountOf } from '../../../redeemkit/solana/address.ts'
import type { KeypairSigner, WalletStandardSigner } from '../../../redeemkit/solana/signer/solanaSigner.ts'
import { toTransactionSigner } from '../../../redeemkit/solana/signer/toTransactionSigner.ts'
import {
  encodeMessage,
  encodeTransaction,
  type Instruction,
  readTransaction,
} from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { signUsdcTransfer } from '../../../redeemkit/solana/usdcTransfer/signUsdcTransfer.ts'
import { u64 } from '../../../redeemkit/solana/usdcTransfer/transferTerms.ts'
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
const amount = 1_500_000n

export const solana: DemoPart = {
  title: 'Solana: pay USDC from a wallet without SOL, and reject nine malicious transactions',
  run: async (demo, progress) => {
    const payment = paymentOf(demo)
    progress('a sponsored transfer')
    const paid = await payWithoutSol(payment)
    const rows: Refusal[] = []
    for (const attack of attacks(demo)) {
      progress(`the service builds: ${attack[0]}`)
      rows.push(await changedTransactionRefused(payment, attack))
    }
    progress('what the service rejects')
    rows.push(...(await refusedByService(payment)))
    return () => {
      printPayment(demo, paid)
      printRefusals('Solana: rejected attacks', rows, '"client" rejects before the wallet is prompted.')
    }
  },
}

function paymentOf(demo: DemoSandbox) {
  const { alice, bob } = demo.solana.accounts
  return {
    demo,
    service: usdcTransferOf(demo, { blockchain: 'solana', wallet: alice.address }),
    ...countingWallet(alice),
    request: (paymentId: string) => ({ destination: bob.address, amount: { cents }, paymentId }),
    expected: (paymentId: string) =>
      ({ environment: 'sandbox', from: alice.address, to: bob.address, amount, paymentId }) as const,
  }
}

type Payment = ReturnType<typeof paymentOf>

/** Submits a sponsored transfer twice and checks that it is executed once. */
async function payWithoutSol({ demo, service, wallet, prompts, request, expected }: Payment) {
  const before = balancesOf(demo)
  const prepared = await service.prepare(request('demo-1'))
  const signed = await signUsdcTransfer(wallet, { ...prepared, expected: expected('demo-1') })
  check(prompts.length === 1, 'the wallet is prompted once')
  const hash = await service.submit({ id: prepared.id, ...signed })
  check(
    (await service.submit({ id: prepared.id, ...signed })) === hash,
    'submitting again returns the same transfer',
  )
  const after = balancesOf(demo)
  check(before.alice - after.alice === amount && after.bob - before.bob === amount, 'the USDC moved once')
  check(before.aliceSol === 0n && after.aliceSol === 0n, 'alice has no SOL')
  check(after.sponsorSol < before.sponsorSol, 'the sponsor paid the fee')
  return { hash, before, after }
}

function printPayment(
  { solana: { accounts } }: DemoSandbox,
  paid: Awaited<ReturnType<typeof payWithoutSol>>,
) {
  const { hash, before, after } = paid
  printTable('Solana: a sponsored USDC transfer', {
    head: ['from', 'to', 'hash', 'USDC before → after', "alice's SOL", 'paid by the sponsor'],
    rows: [
      [
        `alice ${short(accounts.alice.address)}`,
        `bob ${short(accounts.bob.address)}`,
        short(hash),
        `${plainDollars(before.alice)} → ${plainDollars(after.alice)}`,
        `${after.aliceSol}`,
        `${before.sponsorSol - after.sponsorSol} lamports`,
      ],
    ],
    right: [4, 5],
  })
}

async function changedTransactionRefused(
  { service, wallet, prompts, request, expected }: Payment,
  [what, errorName, change]: Attack,
): Promise<Refusal> {
  const asked = await service.prepare(request('demo-2'))
  const transaction = rebuild(asked.transaction, change)
  const why = await refusedBeforePrompt(
    prompts,
    () => signUsdcTransfer(wallet, { transaction, expected: expected('demo-2') }),
    errorName,
  )
  return [`service builds: ${what}`, 'client', why]
}

/** Checks that the service rejects a changed, unsigned or late transaction. */
async function refusedByService({ demo, service, wallet, request, expected }: Payment): Promise<Refusal[]> {
  const { id, transaction } = await service.prepare(request('demo-2'))
  const mine = await signUsdcTransfer(wallet, { transaction, expected: expected('demo-2') })
  const cheaper = rebuild(mine.transaction, { instructions: (list) => swapAmount(list, 1n) })
  const less = await refused(() => service.submit({ id, transaction: cheaper }), 'IntentMismatchError')
  const unsigned = await refused(() => service.submit({ id, transaction }), 'InvalidUsdcAuthorizationError')
  demo.solana.expireBlockhash()
  const late = await refused(() => service.submit({ id, ...mine }), 'PermitExpiredError')
  const before = balancesOf(demo)
  const again = await service.prepare(request('demo-2'))
  const signedAgain = await signUsdcTransfer(wallet, { ...again, expected: expected('demo-2') })
  await service.submit({ id: again.id, ...signedAgain })
  check(
    balancesOf(demo).bob - before.bob === amount,
    'a transfer that was prepared and signed twice is executed once',
  )
  return [
    ['the customer pays less than the prepared amount', 'service', less],
    ['the customer has not signed', 'service', unsigned],
    ['signed too late (blockhash expired)', 'service', `${late} Prepared again, it was confirmed.`],
  ]
}

function countingWallet(person: KeypairSigner & { address: string }) {
  const prompts: string[] = []
  const { signTransaction } = toTransactionSigner(person)
  const wallet: WalletStandardSigner = {
    account: { address: person.address },
    features: {
      'solana:signTransaction': {
        signTransaction: async ({ transaction }) => {
          prompts.push('signTransaction')
          check(signTransaction !== undefined, 'a key signs transactions')
          return [{ signedTransaction: await signTransaction(transaction) }]
        },
      },
    },
  }
  return { wallet, prompts }
}

function balancesOf({ solana: { accounts, sponsor, usdcOf, solOf } }: DemoSandbox) {
  return {
    alice: usdcOf(accounts.alice.address),
    bob: usdcOf(accounts.bob.address),
    aliceSol: solOf(accounts.alice.address),
    sponsorSol: solOf(sponsor),
  }
}

type Change = { payer?: string; instructions?: (list: readonly Instruction[]) => readonly Instruction[] }

type Role = Instruction['accounts'][number][1]

/** `errorName`: the error expected from the client. */
type Attack = readonly [what: string, errorName: string, change: Change]

function attacks({ solana: { accounts, usdcMint: mint } }: DemoSandbox): readonly Attack[] {
  const [alice, bob, thief] = [accounts.alice.address, accounts.bob.address, accounts.carol.address]
  const accountOf = (owner: string) => tokenAccountOf({ owner, mint })
  const more = (instruction: Instruction): Change => ({ instructions: (list) => [...list, instruction] })
  const ofToken = (accounts: Record<string, Role>, data: readonly number[]): Instruction => ({
    program: programs.token,
    accounts: Object.entries(accounts),
    data: Uint8Array.from(data),
  })
  const [source, stolen] = [accountOf(alice), accountOf(thief)]
  const transfer = { [source]: 'w', [mint]: '', [stolen]: 'w', [alice]: 's' } as const
  const newOwner = Array.from({ length: 32 }, () => 7)
  return [
    [
      'an additional transfer',
      'UnexpectedInstructionError',
      more(ofToken(transfer, [12, ...u64(100_000_000n), 6])),
    ],
    [
      'a delegate approval',
      'DelegateApprovalError',
      more(ofToken({ [source]: 'w', [thief]: '', [alice]: 's' }, [4, ...u64(2n ** 64n - 1n)])),
    ],
    [
      'a new owner of the account',
      'AuthorityChangeError',
      more(ofToken({ [source]: 'w', [alice]: 's' }, [6, 2, 1, ...newOwner])),
    ],
    [
      'an account closed in favor of a stranger',
      'AccountClosedError',
      more(ofToken({ [source]: 'w', [thief]: 'w', [alice]: 's' }, [9])),
    ],
    [
      'an unknown instruction',
      'UnexpectedInstructionError',
      more({ program: thief, accounts: [[alice, 's']], data: Uint8Array.of(1, 2, 3) }),
    ],
    [
      'the destination swapped',
      'UnexpectedAccountError',
      {
        instructions: (list) =>
          list.map(({ accounts, ...rest }) => ({
            ...rest,
            accounts: accounts.map(([address, role]) => [
              address === accountOf(bob) ? stolen : address === bob ? thief : address,
              role,
            ]),
          })),
      },
    ],
    ['the amount changed', 'WrongAmountError', { instructions: (list) => swapAmount(list, 999_000_000n) }],
    ['the customer as fee payer', 'WrongFeePayerError', { payer: alice }],
    [
      'another payment id',
      'WrongMemoError',
      {
        instructions: (list) =>
          list.map((one) =>
            one.program === programs.memo ? { ...one, data: new TextEncoder().encode('demo-9') } : one,
          ),
      },
    ],
  ]
}

function swapAmount(list: readonly Instruction[], to: bigint): readonly Instruction[] {
  return list.map((one) =>
    one.program === programs.token ? { ...one, data: Uint8Array.from([12, ...u64(to), 6]) } : one,
  )
}

function rebuild(transaction: string, change: Change): string {
  const parsed = readTransaction(transaction)
  const { keys, signers, readonlySigners, readonlyOthers, blockhash } = parsed
  const roleOf = (index: number) => {
    const isWritten =
      index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers
    return `${index < signers ? 's' : ''}${isWritten ? 'w' : ''}` as Role
  }
  const instructions: Instruction[] = parsed.instructions.map(({ program, accounts, data }) => ({
    program: keys[program] ?? '',
    accounts: accounts.map((index) => [keys[index] ?? '', roleOf(index)]),
    data,
  }))
  const message = encodeMessage({
    payer: change.payer ?? keys[0] ?? '',
    blockhash,
    instructions: change.instructions?.(instructions) ?? instructions,
  })
  const count = message[1] ?? 0
  return formatBase64(
    encodeTransaction({ signatures: Array.from({ length: count }, () => new Uint8Array(64)), message }),
  )
}
