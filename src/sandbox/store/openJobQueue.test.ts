import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachDatabase } from '../../../test/postgres/onEachDatabase.ts'
import { openStore, type Store } from './openStore.ts'

onEachDatabase(({ name, create }) => {
  let store: Store
  beforeAll(async () => {
    store = await openStore(await create())
  })
  afterAll(() => store?.close())

  const send = (jobId: string, to = store) => to.database.transaction((work) => to.queue.send(work, jobId))
  /** Runs one pass of a store's job queue. Returns the jobs that ran, and whether jobs remain. */
  async function pass(of = store, mint: (jobId: string) => Promise<void> = async () => {}) {
    const run: string[] = []
    const reported: unknown[] = []
    // A job is due one tick after it was queued. PGlite's clock has a resolution of one millisecond.
    await sleep(2)
    const stays = await of.queue.runDue({
      handle: async (jobId) => {
        run.push(jobId)
        await mint(jobId)
      },
      onError: (error) => reported.push(error),
    })
    return { run, stays, reported }
  }

  test('a job runs only once', async () => {
    for (const jobId of ['a', 'b', 'c']) await send(jobId)
    const { run, stays } = await pass()
    expect(run.sort()).toEqual(['a', 'b', 'c'])
    expect(stays).toBe(false)
    expect(await pass()).toMatchObject({ run: [], stays: false })
  })

  test('a transaction that is rolled back queues no job', async () => {
    const failing = store.database.transaction(async (work) => {
      await store.queue.send(work, 'a')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await pass()).run).toEqual([])
  })

  test('a failed job is retried, and its error message is not stored', async () => {
    await send('a')
    const secret = 'a key that was in a URL'
    const failure = new Error(secret)
    const first = await pass(store, async () => {
      throw failure
    })
    expect(first).toEqual({ run: ['a'], stays: true, reported: [failure] })
    expect((await pass()).run).toEqual([])
    const kept = await store.database.execute(sql`select output::text from redeemkit_jobs.job`)
    expect(JSON.stringify(kept)).toContain('kind')
    expect(JSON.stringify(kept)).not.toContain(secret)
    await expect.poll(async () => (await pass()).run, { timeout: 10_000 }).toEqual(['a'])
    expect((await pass()).stays).toBe(false)
  })

  test('a job that is already queued is not queued again', async () => {
    for (let count = 0; count < 3; count++) await send('a')
    expect((await pass()).run).toEqual(['a'])
    await send('a')
    expect((await pass()).run).toEqual(['a'])
  })

  test('the next process runs the job of a killed process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redeemkit-jobs-'))
    const options = await create(folder)
    const first = await openStore(options)
    await send('a', first)
    let taken = () => {}
    const isTaken = new Promise<void>((resolve) => {
      taken = resolve
    })
    // This job never ends.
    pass(first, () => new Promise<void>(() => taken())).catch(() => {})
    await isTaken
    await first.close()
    let next = await openStore(options)
    if (name === 'PostgreSQL') {
      // Another process may still be running the job.
      expect((await pass(next)).run).toEqual([])
      await next.database.execute(sql`update redeemkit_jobs.job set started_on = now() - interval '31 s'`)
      await next.close()
      next = await openStore(options)
    }
    expect((await pass(next)).run).toEqual(['a'])
    await next.close()
    await rm(folder, { recursive: true, force: true })
  })

  if (name === 'PostgreSQL')
    test('of several processes, only one runs each job', async () => {
      const options = await create()
      const stores = await Promise.all([openStore(options), openStore(options), openStore(options)])
      const ids = Array.from({ length: 90 }, (_, at) => `job ${at}`)
      for (const jobId of ids) await send(jobId, stores[0])
      let begin = () => {}
      const allBegan = new Promise<void>((resolve) => {
        begin = resolve
      })
      const working = new Set<Store>()
      const work = (one: Store) => {
        working.add(one)
        if (working.size === stores.length) begin()
        return allBegan
      }
      const passes = await Promise.all(stores.map((one) => pass(one, () => work(one))))
      expect(passes.flatMap(({ run }) => run).sort()).toEqual(ids.sort())
      for (const { close } of stores) await close()
    })
})
