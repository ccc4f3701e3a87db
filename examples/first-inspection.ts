import { formatInspection, inspect } from 'redeemkit/evm'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'

// A request that lets the spender take all USDC of the account.
const account = '0x556B62CD6010aF05a45c546c5C8374E4998798BE'
const data = encodeFunctionData({
  abi: erc20Abi,
  functionName: 'approve',
  args: ['0x53f35Dd7d9259f683781e044413Eb4233934bDC6', maxUint256],
})
const request = {
  method: 'eth_sendTransaction',
  params: [{ from: account, to: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', data }],
}

// Data from the wallet itself: page, account and trusted values.
const inspection = inspect(request, { address: account, chainId: 8453, origin: 'https://shop.example' })

const { title, lines, findings } = formatInspection(inspection)
console.log(`${inspection.verdict}: ${title}`)
for (const { label, value } of lines) console.log(`${label}: ${value}`)
for (const { severity, message } of findings) console.log(`${severity}: ${message}`)
