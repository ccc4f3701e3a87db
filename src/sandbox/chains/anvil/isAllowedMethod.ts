/**
 * What may be asked of a local chain through the address that pages and programs are given. Everything else is refused,
 * above all what tells or moves more than the chain: `anvil_nodeInfo` shows the address of the fork origin with the key in
 * it, `anvil_reset` and `anvil_setRpcUrl` make the node fetch any address, `anvil_dumpState` and `anvil_loadState` copy or
 * replace the whole chain, under the service's feet.
 */
export function isAllowedMethod(method: string, more: readonly string[] = []): boolean {
  return /^(eth|net|web3)_\w+$/.test(method) || allowed.has(method) || more.includes(method)
}

/** Beside `eth_`, `net_` and `web3_`. */
const allowed = new Set([
  // What a transaction did, and what waits.
  'debug_traceTransaction',
  'debug_traceCall',
  'txpool_status',
  'txpool_content',
  'txpool_inspect',
  // An account as a test needs it.
  ...both(['setBalance', 'setCode', 'setNonce', 'setStorageAt']),
  ...both(['impersonateAccount', 'stopImpersonatingAccount', 'autoImpersonateAccount']),
  ...both(['dropTransaction', 'mine', 'setNextBlockBaseFeePerGas', 'setPrevRandao', 'setCoinbase']),
  'anvil_addBalance',
  'anvil_dealErc20',
  'anvil_dropAllTransactions',
  'anvil_removePoolTransactions',
  // Blocks and their time.
  'anvil_getAutomine',
  'anvil_getIntervalMining',
  'anvil_reorg',
  'anvil_rollback',
  'anvil_increaseTime',
  'anvil_setBlockTimestampInterval',
  'anvil_removeBlockTimestampInterval',
  'evm_mine',
  'evm_increaseTime',
  'evm_setTime',
  'evm_setNextBlockTimestamp',
  'evm_setAutomine',
  'evm_setIntervalMining',
  'evm_setBlockGasLimit',
  'evm_snapshot',
  'evm_revert',
])

/** Anvil takes these by both names, and clients use both. */
function both(names: readonly string[]): string[] {
  return names.flatMap((name) => [`anvil_${name}`, `hardhat_${name}`])
}
