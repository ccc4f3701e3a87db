import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createPaymentsClient, redeem } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const [file] = process.argv.slice(2)
const { baseUrl, merchantId, privateKey, rpcUrl, chainId, pinned, shop, orderId } = JSON.parse(
  readFileSync(file, 'utf8'),
)

const nameOf = (key) => `${file}.${encodeURIComponent(key)}`
const storage = {
  getItem: (key) => {
    try {
      return readFileSync(nameOf(key), 'utf8')
    } catch {
      return null
    }
  },
  setItem: (key, value) => {
    writeFileSync(`${nameOf(key)}.new`, value)
    renameSync(`${nameOf(key)}.new`, nameOf(key))
  },
  removeItem: (key) => rmSync(nameOf(key), { force: true }),
}

await redeem(createPaymentsClient({ baseUrl, merchantId, blockchain: 'base' }), {
  signer: privateKeyToAccount(privateKey),
  publicClient: createPublicClient({ transport: http(rpcUrl) }),
  chainId,
  pinned,
  storage,
  purchaseId: orderId,
  subtotal: { cents: 1000 },
  transactionData: token({ destination: shop }),
})
console.log('paid')
