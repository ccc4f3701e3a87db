import { formatUsd } from 'redeemkit'
import type { FileStorage } from './fileStorage.ts'
import type { Payment, Settings } from './settings.ts'

/** A reserved or paid amount. Raw units as text: 1 USD is "1000000". */
export type Entry = Payment & {
  /** Day (UTC) whose budget includes this amount. */
  day: string
  /** `reserved`: the outcome of the payment is not known yet. */
  state: 'reserved' | 'paid'
  /** Maximum cost, replaced by the actual cost once paid. */
  spent: string
  hash?: string
}

export type Budget = {
  /** Reserves the maximum cost of a payment before anything is signed. Reserving it again returns the same entry. */
  reserve: (payment: Payment) => Promise<Entry>
  settle: (entry: Entry, paid: { spent: bigint; hash: string }) => Promise<void>
  /** Releases the amount of a payment that cannot have been made. */
  release: (id: string) => Promise<void>
  /** Lists reserved payments without an outcome, for example after a crash. */
  unfinished: () => Promise<Entry[]>
  /** In raw units. */
  spentToday: () => Promise<bigint>
}

/**
 * Each amount is reserved before the permit is signed and until the outcome is known, so the agent never spends more than the budget
 * shows, even if it is killed.
 */
export function openBudget(storage: FileStorage, { limits, pinned }: Settings): Budget {
  const today = () => new Date().toISOString().slice(0, 10)
  const change = (work: (entries: Map<string, Entry>) => void) =>
    storage.update(name, (text) => {
      const entries = toEntries(text)
      work(entries)
      return JSON.stringify([...entries.values()])
    })
  const entriesNow = async () => toEntries(await storage.getItem(name))

  return {
    reserve: async (payment) => {
      let reserved: Entry | undefined
      await change((entries) => {
        const known = entries.get(payment.id)
        if (known !== undefined) {
          if (!isSamePayment(known, payment))
            throw new OverLimitError(`"${payment.id}" is the id of another payment: ${describe(known)}.`)
          reserved = known
          return
        }
        const most = rawUnits(payment.cents + pinned.maxGasFeeCents)
        const spent = sumOf(entries, today())
        if (!limits.receivers.includes(payment.to))
          throw new OverLimitError(`${payment.to} is not an allowed receiver.`)
        if (most > rawUnits(limits.paymentCents))
          throw new OverLimitError(
            `The payment may cost ${formatUsd(most)} with its fee, above the limit of ${formatUsd(rawUnits(limits.paymentCents))}.`,
          )
        if (spent + most > rawUnits(limits.dayCents))
          throw new OverLimitError(
            `The payment may cost ${formatUsd(most)}, but ${formatUsd(spent)} of today's ${formatUsd(rawUnits(limits.dayCents))} are already spent.`,
          )
        reserved = { ...payment, day: today(), state: 'reserved', spent: `${most}` }
        entries.set(payment.id, reserved)
      })
      if (reserved === undefined) throw new Error('The storage did not run the change.')
      return reserved
    },
    settle: (entry, { spent, hash }) =>
      change((entries) => {
        entries.set(entry.id, { ...entry, state: 'paid', spent: `${spent}`, hash })
      }),
    release: (id) =>
      change((entries) => {
        if (entries.get(id)?.state === 'reserved') entries.delete(id)
      }),
    unfinished: async () => [...(await entriesNow()).values()].filter(({ state }) => state === 'reserved'),
    spentToday: async () => sumOf(await entriesNow(), today()),
  }
}

const name = 'budget'

/** Only this agent writes the file. */
function toEntries(text: string | null): Map<string, Entry> {
  const entries: Entry[] = text === null ? [] : JSON.parse(text)
  return new Map(entries.map((entry) => [entry.id, entry]))
}

function sumOf(entries: Map<string, Entry>, day: string): bigint {
  return [...entries.values()]
    .filter((entry) => entry.day === day)
    .reduce((sum, { spent }) => sum + BigInt(spent), 0n)
}

export function isSamePayment(one: Payment, other: Payment): boolean {
  const textOf = ({ id, to, cents, usdcCents = 0 }: Payment) => JSON.stringify([id, to, cents, usdcCents])
  return textOf(one) === textOf(other)
}

const describe = ({ cents, to }: Payment) => `${formatUsd(rawUnits(cents))} to ${to}`
const rawUnits = (cents: number) => BigInt(cents) * 10_000n

/** The agent's limits do not allow a payment. Nothing was signed. */
export class OverLimitError extends Error {
  override readonly name = 'OverLimitError'
}
