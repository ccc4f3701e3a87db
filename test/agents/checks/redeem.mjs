import assert from 'node:assert/strict'

export async function check({ sandbox, base, publicClient, usdcOf, load }) {
  const { pay } = await load()
  const { alice, bob } = sandbox.accounts
  const { url: baseUrl, merchantId } = sandbox
  const { rpcUrl, chainId, pinned } = base
  const options = { baseUrl, merchantId, signer: alice.account, rpcUrl, chainId, pinned, shop: bob.address }
  const before = await usdcOf(bob.address)
  const hash = await pay({ ...options, orderId: 'order-1' })
  assert.equal((await publicClient.getTransactionReceipt({ hash })).status, 'success')
  await pay({ ...options, orderId: 'order-1' }).catch(() => {})
  assert.equal((await usdcOf(bob.address)) - before, 10_000_000n, 'one order is paid once')
  await pay({ ...options, orderId: 'order-2' })
  assert.equal((await usdcOf(bob.address)) - before, 20_000_000n, 'another order is another payment')
}
