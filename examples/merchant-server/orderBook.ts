import { type FileHandle, open, readFile } from 'node:fs/promises'

/** A paid order, as the shop keeps it. */
type PaidOrder = { eventId: string; paymentId: string; userId: string; cartId: string }

export type OrderBook = {
  /**
   * Keeps a paid order. It is on the disk when this resolves.
   *
   * @returns false for an event that was kept before
   */
  add: (order: PaidOrder) => Promise<boolean>
  of: (userId: string) => PaidOrder[]
  close: () => Promise<void>
}

/**
 * The shop's book of paid orders: a file with one line for each. A line is the event's id and what follows from the event, in one write,
 * so that an event which comes twice, or a server that is killed before it answers, makes one order. A database does the same with a
 * unique key on the id. One process may have the file open.
 */
export async function openOrderBook(path: string): Promise<OrderBook> {
  const file = await open(path, 'a', 0o600)
  const orders = await readWhole(path, file)
  /** What is being written: the same event at the same time waits for it. */
  let writing = Promise.resolve()

  async function write(order: PaidOrder): Promise<boolean> {
    if (orders.has(order.eventId)) return false
    await file.appendFile(`${JSON.stringify(order)}\n`)
    await file.sync()
    orders.set(order.eventId, order)
    return true
  }
  return {
    add: (order) => {
      const added = writing.then(() => write(order))
      writing = added.then(
        () => {},
        () => {},
      )
      return added
    },
    of: (userId) => [...orders.values()].filter((order) => order.userId === userId),
    close: () => file.close(),
  }
}

/** All lines that were written to their end. The rest of one that was not was never answered for, and comes again. */
async function readWhole(path: string, file: FileHandle): Promise<Map<string, PaidOrder>> {
  const text = await readFile(path, 'utf8')
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole !== text) await file.truncate(Buffer.byteLength(whole))
  const orders: PaidOrder[] = whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return new Map(orders.map((order) => [order.eventId, order]))
}
