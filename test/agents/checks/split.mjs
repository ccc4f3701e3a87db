import assert from 'node:assert/strict'

export async function check({ sandbox, base, usdcOf, load }) {
  const { pay } = await load()
  const { alice, bob } = sandbox.accounts
  const { url: baseUrl, merchantId } = sandbox
  const { rpcUrl, chainId, pinned } = base
  for (const version of [1, 2]) {
    // The service's log contains no request bodies.
    const posted = []
    const realFetch = globalThis.fetch
    globalThis.fetch = (input, init) => {
      posted.push(String(init?.body ?? ''))
      return realFetch(input, init)
    }
    const [paid, kept] = [await usdcOf(bob.address), await usdcOf(alice.address)]
    const options = { baseUrl, merchantId, signer: alice.account, rpcUrl, chainId, pinned, shop: bob.address }
    await pay({ ...options, orderId: `order-${version}`, version }).finally(() => {
      globalThis.fetch = realFetch
    })
    assert.equal((await usdcOf(bob.address)) - paid, 10_000_000n)
    assert.equal(kept - (await usdcOf(alice.address)), 4_000_000n)
    const field = `"customerUsdcAuthData${version === 1 ? '' : 'V2'}":`
    assert.ok(
      posted.some((body) => body.includes(field)),
      `an authorization of version ${version} was posted`,
    )
  }
}
