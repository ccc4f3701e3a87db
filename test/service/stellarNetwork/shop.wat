;; A merchant contract for the tests, small enough to be written by hand, so that the very same bytes run on our ledger and on
;; a real network. Values are tagged 64-bit words (CAP-46-1); "transfer", "usdc", … are symbols of at most nine letters,
;; which fit into the word; host functions are imported by the names of Stellar's env.json.
(module
  (import "a" "0" (func $require_auth (param i64) (result i64)))
  (import "d" "_" (func $call (param i64 i64 i64) (result i64)))
  (import "v" "_" (func $vec_new (result i64)))
  (import "v" "6" (func $vec_push_back (param i64 i64) (result i64)))
  (import "l" "_" (func $put_contract_data (param i64 i64 i64) (result i64)))
  (import "l" "0" (func $has_contract_data (param i64 i64) (result i64)))
  (import "l" "1" (func $get_contract_data (param i64 i64) (result i64)))
  (import "x" "1" (func $contract_event (param i64 i64) (result i64)))
  (import "x" "5" (func $fail_with_error (param i64) (result i64)))

  (global $void i64 (i64.const 2))
  (global $persistent i64 (i64.const 1))
  (global $instance i64 (i64.const 2))
  (global $transfer i64 (i64.const 65154533130155790)) ;; "transfer"
  (global $usdc i64 (i64.const 3951716366)) ;; "usdc"
  (global $merchant i64 (i64.const 57049160300165390)) ;; "merchant"
  (global $count i64 (i64.const 175350020366)) ;; "count"
  (global $visit i64 (i64.const 256549566734)) ;; "visit"

  ;; Remembers USDC's contract and the merchant who is paid.
  (func (export "__constructor") (param $token i64) (param $payee i64) (result i64)
    (drop (call $put_contract_data (global.get $usdc) (local.get $token) (global.get $instance)))
    (drop (call $put_contract_data (global.get $merchant) (local.get $payee) (global.get $instance)))
    (global.get $void))

  ;; Takes nothing. Returns how often somebody came.
  (func $come (export "visit") (param $customer i64) (result i64)
    (local $visits i64)
    (drop (call $require_auth (local.get $customer)))
    ;; A u32 has its number in the upper half and the tag 4 in the lower one.
    (local.set $visits (i64.const 4))
    (if (i64.eq (call $has_contract_data (global.get $count) (global.get $persistent)) (i64.const 1))
      (then (local.set $visits (call $get_contract_data (global.get $count) (global.get $persistent)))))
    (local.set $visits (i64.add (local.get $visits) (i64.shl (i64.const 1) (i64.const 32))))
    (drop (call $put_contract_data (global.get $count) (local.get $visits) (global.get $persistent)))
    (drop (call $contract_event
      (call $vec_push_back (call $vec_push_back (call $vec_new) (global.get $visit)) (local.get $customer))
      (local.get $visits)))
    (local.get $visits))

  (func $take (param $customer i64) (param $amount i64)
    (drop (call $call
      (call $get_contract_data (global.get $usdc) (global.get $instance))
      (global.get $transfer)
      (call $vec_push_back
        (call $vec_push_back
          (call $vec_push_back (call $vec_new) (local.get $customer))
          (call $get_contract_data (global.get $merchant) (global.get $instance)))
        (local.get $amount)))))

  ;; Takes the amount for the merchant.
  (func (export "buy") (param $customer i64) (param $amount i64) (result i64)
    (local $visits i64)
    (local.set $visits (call $come (local.get $customer)))
    (call $take (local.get $customer) (local.get $amount))
    (local.get $visits))

  ;; Takes the amount twice: what a customer has to be kept from signing.
  (func (export "steal") (param $customer i64) (param $amount i64) (result i64)
    (drop (call $require_auth (local.get $customer)))
    (call $take (local.get $customer) (local.get $amount))
    (call $take (local.get $customer) (local.get $amount))
    (global.get $void))

  ;; Fails with the contract's own error number 7.
  (func (export "sold_out") (param $customer i64) (result i64)
    (call $fail_with_error (i64.or (i64.shl (i64.const 7) (i64.const 32)) (i64.const 3))))
)
