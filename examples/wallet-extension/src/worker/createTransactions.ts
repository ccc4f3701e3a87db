import { type Hex, keccak256, type LocalAccount } from 'viem'
import { AskError } from '../messages.ts'
import { pageErrors } from '../pageMessages.ts'
import { transactionsOf } from './callBatches.ts'
import type { Networks } from './createNetworks.ts'
import type { Answer, Prepared, Queue, QueueEntry, SignAsk, TransactionFields } from './createQueue.ts'
import type { Store } from './openStore.ts'
import { type AskedTransaction, prepareTransactions, readTransaction } from './prepareTransactions.ts'
import { cancelCall } from './redeemBook.ts'
import { digestsOf, signDigest, transactionOf } from './signAsk.ts'

type TransactionAsk = Extract<SignAsk, { prepared: Prepared }>
type TransactionEntry = QueueEntry & { ask: TransactionAsk }

const mostBatches = 100

/** Prepares, signs and sends the transactions of requests. Two transactions of an account never have the same nonce. */
export function createTransactions(parts: { store: Store; queue: Queue; networks: Networks }) {
  const { store, queue, networks } = parts

  async function prepare(entry: QueueEntry): Promise<void> {
    const { ask } = entry
    if (!('prepared' in ask)) return
    const prepared = networks.hasNode(ask.chainId)
      ? await prepareTransactions(networks.nodeOf(ask.chainId), askedBy(ask), {
          leastNonce: leastNonce(queue.all(), ask),
        })
      : { state: 'failed' as const, reason: pageErrors.chainDisconnected.message }
    await queue.update((one) =>
      one.id === entry.id && 'prepared' in one.ask && one.ask.signed === undefined
        ? { ...one, ask: { ...one.ask, prepared } }
        : one,
    )
  }

  /** Sends signed transactions in order, including those that the node may already have. */
  async function send({ ask, page }: TransactionEntry, signed: readonly Hex[]): Promise<Answer> {
    const hashes: Hex[] = []
    for (const one of signed) hashes.push(await sendOne(ask.chainId, one))
    if (ask.kind !== 'calls' || page === undefined) return { result: hashes[0] }
    const { batchId: id, chainId } = ask
    const { origin } = page.document
    const others = store.get('batches').filter((one) => one.id !== id || one.origin !== origin)
    await store.set({ batches: [...others, { id, origin, chainId, hashes }].slice(-mostBatches) })
    return { result: { id } }
  }

  async function sendOne(chainId: number, signed: Hex): Promise<Hex> {
    const node = networks.nodeOf(chainId)
    const hash = keccak256(signed)
    try {
      await node.request({ method: 'eth_sendRawTransaction', params: [signed] })
    } catch (error) {
      // A node rejects a transaction that it already has. If the lookup fails too, the first error is reported.
      const sent = await node
        .request({ method: 'eth_getTransactionByHash', params: [hash] })
        .catch(() => null)
      if (Object(sent).hash !== hash) throw error
    }
    return hash
  }

  return {
    prepare,
    send,

    /** @param options.digests digests that the window showed, compared by the worker */
    signAndSend: async (
      entry: TransactionEntry,
      { account, digests }: { account: LocalAccount; digests: readonly Hex[] },
    ): Promise<Answer> => {
      const { ask } = entry
      if (ask.signed !== undefined) return send(entry, ask.signed)
      const signed = await signAll(ask, { account, digests })
      // Another click may have used these nonces. Nothing may be awaited between this check and the change of the queue.
      const now = queue.waiting().find(({ id }) => id === entry.id)?.ask
      if (now === undefined || now.kind === 'connect' || `${digestsOf(now)}` !== `${digests}`) throw changed()
      // Stored before sending, so that a restarted worker does not ask the user again.
      await queue.update((one) =>
        one.id === entry.id
          ? { ...one, ask: { ...ask, signed } }
          : hasSender(one, ask)
            ? { ...one, ask: { ...one.ask, prepared: { state: 'preparing' } } }
            : one,
      )
      try {
        return await send(entry, signed)
      } finally {
        for (const other of queue.waiting()) if (hasSender(other, ask)) void prepare(other)
      }
    },
  }
}

async function signAll(
  ask: TransactionAsk,
  { account, digests }: { account: LocalAccount; digests: readonly Hex[] },
): Promise<Hex[]> {
  const { prepared, chainId } = ask
  const [first] = digests
  if (prepared.state !== 'ready' || first === undefined) throw changed()
  const more: Partial<TransactionFields> =
    ask.kind === 'cancel' ? { data: cancelCall(ask, await signDigest(account, first)) } : {}
  return Promise.all(
    prepared.transactions.map((fields) =>
      account.signTransaction(transactionOf(chainId, { ...fields, ...more })),
    ),
  )
}

function askedBy(ask: TransactionAsk): AskedTransaction[] {
  switch (ask.kind) {
    case 'transaction':
      return [readTransaction(ask.params[0], ask.chainId)]
    case 'calls':
      return transactionsOf(ask.params[0], ask.account)
    case 'cancel':
      // A fixed limit, because the gas cannot be estimated before the user has signed.
      return [{ from: ask.account, to: ask.to, value: 0n, data: '0x', gas: cancelGas }]
  }
}

/** An upper bound of the gas of `cancelCreditsAuthorization` for an account with a key. */
const cancelGas = 120_000n

function hasSender(entry: QueueEntry, { account, chainId }: TransactionAsk): entry is TransactionEntry {
  const { ask, answer } = entry
  return (
    answer === undefined &&
    'prepared' in ask &&
    ask.signed === undefined &&
    ask.account === account &&
    ask.chainId === chainId
  )
}

/** Returns the first nonce after those of signed transactions, which the node may not know yet. */
function leastNonce(entries: readonly QueueEntry[], { account, chainId }: TransactionAsk): number {
  const nonces = entries.flatMap(({ ask }) =>
    'signed' in ask &&
    ask.signed !== undefined &&
    ask.account === account &&
    ask.chainId === chainId &&
    ask.prepared.state === 'ready'
      ? ask.prepared.transactions.map(({ nonce }) => nonce)
      : [],
  )
  return Math.max(-1, ...nonces) + 1
}

const changed = () => new AskError('changed', 'The request has changed. Read it again.')

/** Maps the error of a payment or a transaction to a reason. Insufficient funds are the only reason that the user can act on. */
export function paymentRefusal(error: unknown): AskError {
  const { name, shortMessage, message } = Object(error)
  const reason = String(shortMessage ?? message)
  const isShort = /^Insufficient/.test(name) || /insufficient.* (?:funds|balance)/i.test(reason)
  return new AskError(isShort ? 'noFunds' : 'failed', reason)
}
