/** A transaction's error as a node writes it in JSON. */
export type RpcTransactionError =
  | string
  | { InstructionError: [index: number, error: string | { Custom: number }] }
  | { [name: string]: { account_index: number } }

/**
 * Turns LiteSVM's account of a failure into a node's JSON: `InstructionError(0, Custom(1))` →
 * `{"InstructionError":[0,{"Custom":1}]}`.
 */
export function describeFailure(text: string): RpcTransactionError {
  const instruction = /err: InstructionError\((\d+), (\w+)(?:\((\d+)\))?/.exec(text)
  if (instruction !== null) {
    const [, index, name = '', custom] = instruction
    return {
      InstructionError: [Number(index), name === 'Custom' ? { Custom: Number(custom) } : name],
    }
  }
  const account = /err: (\w+) \{ account_index: (\d+)/.exec(text)
  if (account !== null) return { [account[1] ?? '']: { account_index: Number(account[2]) } }
  return /err: (\w+)/.exec(text)?.[1] ?? 'ClusterMaintenance'
}

/** The sentence that a node puts into an error's message. */
export function failureInWords(err: RpcTransactionError): string {
  if (err === 'BlockhashNotFound') return 'Blockhash not found'
  if (err === 'AlreadyProcessed') return 'This transaction has already been processed'
  if (typeof err === 'string') return err.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  if (Array.isArray(err.InstructionError)) {
    const [index, error] = err.InstructionError
    const what = typeof error === 'string' ? error : `custom program error: 0x${error.Custom.toString(16)}`
    return `Error processing Instruction ${index}: ${what}`
  }
  return `Transaction failed: ${JSON.stringify(err)}`
}
