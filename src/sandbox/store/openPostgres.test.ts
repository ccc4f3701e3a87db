import { type AddressInfo, connect, createServer } from 'node:net'
import { inspect } from 'node:util'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { onPostgres } from '../../../test/postgres/onEachDatabase.ts'
import { openStore } from './openStore.ts'
import * as tables from './tables/index.ts'

onPostgres(({ create }) => {
  const newUrl = async () => (await create()).databaseUrl ?? ''

  test('concurrent processes create a new database once', async () => {
    const databaseUrl = await newUrl()
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore({ databaseUrl })))
    const row = { merchantId: 'shop', creditSeed: 'seed' }
    await stores[0]?.database.insert(tables.merchants).values(row)
    for (const { database } of stores)
      expect(await database.select().from(tables.merchants)).toMatchObject([row])
    await Promise.all(stores.map(({ close }) => close()))
  })

  test('other tables in the same database are unchanged', async () => {
    const databaseUrl = await newUrl()
    const first = await openStore({ databaseUrl })
    await first.database.execute(sql`create table public.merchants (theirs text)`)
    await first.close()
    const second = await openStore({ databaseUrl })
    expect(await second.database.select().from(tables.merchants)).toEqual([])
    await second.close()
  })

  test.each([
    ['a server that is down', 'ECONNREFUSED', (url: URL) => set(url, { port: '1' })],
    ['a host that does not exist', 'ENOTFOUND', (url: URL) => set(url, { hostname: 'nowhere.invalid' })],
    ['a user that does not exist', '28000', (url: URL) => set(url, { username: 'stranger' })],
    ['a database that does not exist', '3D000', (url: URL) => set(url, { pathname: '/nothing' })],
  ])('%s is reported with its field and a fix, without the password', async (_, code, change) => {
    const url = change(set(new URL(await newUrl()), { password: 'geheim' }))
    const failure = await openStore({ databaseUrl: url.href }).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      name: code.startsWith('E') ? 'DatabaseUnavailableError' : 'InvalidSandboxOptionsError',
      field: 'databaseUrl',
      fix: expect.stringMatching(/^\w.*\.$/),
      cause: { code },
    })
    expect(inspect(failure, { depth: Infinity, showHidden: true })).not.toContain('geheim')
  })

  test('reports a wrong password', async () => {
    const databaseUrl = await newUrl()
    const store = await openStore({ databaseUrl })
    await store.database.execute(sql`drop role if exists asked`)
    await store.database.execute(sql`create role asked login password 'right'`)
    await store.close()
    const url = set(new URL(databaseUrl), { username: 'asked', password: 'geheim' })
    const failure = await openStore({ databaseUrl: url.href }).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      name: 'InvalidSandboxOptionsError',
      field: 'databaseUrl',
      cause: { code: '28P01' },
    })
    expect(inspect(failure, { depth: Infinity, showHidden: true })).not.toContain('geheim')
  })

  test('reports missing rights with the command that the owner must run', async () => {
    const databaseUrl = await newUrl()
    const store = await openStore({ databaseUrl })
    await store.database.execute(sql`drop schema redeemkit cascade`)
    await store.database.execute(sql`drop role if exists guest`)
    await store.database.execute(sql`create role guest login`)
    await store.close()
    const url = set(new URL(databaseUrl), { username: 'guest' })
    await expect(openStore({ databaseUrl: url.href })).rejects.toMatchObject({
      name: 'InvalidSandboxOptionsError',
      fix: expect.stringContaining('grant create on database'),
    })
  })

  test('replaces lost connections', async () => {
    const databaseUrl = await newUrl()
    const store = await openStore({ databaseUrl })
    const other = new pg.Client(databaseUrl)
    await other.connect()
    const work = () =>
      store.database.transaction(async (inside) => {
        await inside.execute(sql`select pg_sleep(0.01)`)
        await inside.execute(sql`select 1`)
      })
    const ten = () => Promise.allSettled(Array.from({ length: 10 }, work))
    for (let round = 0; round < 12; round++) {
      await ten()
      const atWork = round % 2 === 0 ? ten() : []
      await other.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      )
      // The pool has not noticed the lost connections yet.
      const outcomes = await Promise.all([atWork, ten()])
      for (const outcome of outcomes.flat())
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ name: 'DatabaseUnavailableError' })
    }
    // A backend that is terminating accepts one more statement, which then fails.
    const succeeded = async () => (await ten()).filter(({ status }) => status === 'fulfilled').length
    await expect.poll(succeeded, { timeout: 10_000 }).toBe(10)
    await other.end()
    await store.close()
  }, 20_000)

  test('a connection that the server ends during a transaction is reported as lost, and replaced', async () => {
    const store = await openStore({ databaseUrl: await newUrl() })
    const work = store.database.transaction(async (inside) => {
      await inside.execute(sql`set local idle_in_transaction_session_timeout = 50`)
      // This process hangs, so it reads the server's message only after its next statement.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
      await inside.execute(sql`select 1`)
    })
    await expect(work).rejects.toMatchObject({ name: 'DatabaseUnavailableError' })
    await store.database.execute(sql`select 1`)
    await store.close()
  })

  test('the server notices soon that the network lost a connection', async () => {
    const store = await openStore({ databaseUrl: await newUrl() })
    const shown = await store.database.execute(sql`
      select name, setting from pg_settings where name like 'tcp_keepalives%' order by name`)
    expect(Object(shown).rows).toEqual([
      { name: 'tcp_keepalives_count', setting: '3' },
      { name: 'tcp_keepalives_idle', setting: '10' },
      { name: 'tcp_keepalives_interval', setting: '5' },
    ])
    await store.close()
  })

  test('a start that waits too long for a lock does not report a missing server', async () => {
    const databaseUrl = await newUrl()
    const other = new pg.Client(databaseUrl)
    await other.connect()
    await other.query('select pg_advisory_lock(72657465)')
    await expect(openStore({ databaseUrl })).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
      shortMessage: expect.stringMatching(/did not prepare the tables/),
      fix: expect.stringContaining('pg_locks'),
    })
    await other.end()
  }, 40_000)

  test('a server that does not respond is reported, and its connections are replaced', async () => {
    const databaseUrl = new URL(await newUrl())
    const port = Number(databaseUrl.port)
    let isSilent = false
    const between = createServer((client) => {
      const server = connect(port, databaseUrl.hostname)
      client.on('data', (bytes) => isSilent || server.write(bytes)).on('close', () => server.destroy())
      server.on('data', (bytes) => isSilent || client.write(bytes)).on('close', () => client.destroy())
    })
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
    databaseUrl.port = String((between.address() as AddressInfo).port) // it listens on TCP, so the address is an object
    const store = await openStore({ databaseUrl: databaseUrl.href })
    const alone = () => store.database.execute(sql`select 1`)
    const together = () =>
      store.database.transaction(async (work) => {
        await work.execute(sql`select 1`)
        isSilent = true
        await work.execute(sql`select 2`)
      })
    const wait = setTimeout
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    /** Returns how many seconds of fake time the work takes. The network uses real time. */
    const secondsOf = async (work: Promise<unknown>) => {
      let isOver = false
      work.then(() => {
        isOver = true
      })
      let seconds = 0
      for (; !isOver && seconds < 60; seconds += isSilent ? 1 : 0) {
        await new Promise((resolve) => wait(resolve, 20))
        if (isSilent) await vi.advanceTimersByTimeAsync(1_000)
      }
      return seconds
    }
    const outcomes = Promise.allSettled([together(), alone()])
    // One timeout: the rollback does not wait for the server again.
    expect(await secondsOf(outcomes)).toBeLessThan(25)
    for (const outcome of await outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ name: 'DatabaseUnavailableError' })
    const lost = alone().catch((error: unknown) => error)
    await secondsOf(lost)
    expect(await lost).toMatchObject({ name: 'DatabaseUnavailableError' })
    vi.useRealTimers()
    isSilent = false
    await alone()
    await store.close()
    await new Promise((resolve) => between.close(resolve))
  }, 60_000)
})

test.each(['', 'localhost:5432', 'https://127.0.0.1/shop', 'a password'])(
  'a databaseUrl that is not a server’s address is not shown: %j',
  async (databaseUrl) => {
    const failure = await openStore({ databaseUrl }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ name: 'InvalidSandboxOptionsError', field: 'databaseUrl' })
    if (databaseUrl !== '') expect(String(failure)).not.toContain(databaseUrl)
  },
)

function set(
  url: URL,
  parts: Partial<Record<'port' | 'hostname' | 'username' | 'password' | 'pathname', string>>,
): URL {
  return Object.assign(url, parts)
}
