// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {IPaymentSettlement} from "../src/IPaymentSettlement.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {IPaymentSettlementContract} from "./Deployed.sol";

/// @title Gas of each transaction type and payment method
/// @dev Each call is a separate transaction (isolated), so the figures include call data and the base cost of 21,000.
/// `contracts/gas` holds the snapshots that the tests compare with. To update them after an intended change:
/// `FOUNDRY_GAS_SNAPSHOT_CHECK=false FOUNDRY_GAS_SNAPSHOT_EMIT=true node contracts/forge.mjs test --match-contract GasTest`
/// forge-config: default.isolate = true
contract GasTest is CreditsFixture {
    mapping(string name => ICredits.RedeemRequest) private _prepared;
    bytes[] private _encodedBatch;

    function setUp() public override {
        super.setUp();
        _openRoute();
        knownMerchant.list(42, DOLLAR);
        _fund(customer, 100 * DOLLAR);
        // Receivers that already have a balance, so that a payment writes no new slot.
        address[7] memory known = [
            receiver,
            stranger,
            address(adapter),
            address(normalMerchant),
            address(mint721),
            address(returnedMerchant),
            address(knownMerchant)
        ];
        for (uint256 i = 0; i < known.length; ++i) {
            _fund(known[i], 1);
        }
        _redeem(_signed(_token(receiver), 1, 0, 1, ICredits.UsdcMethod.None));
        _prepared["token"] = _signed(_token(receiver), DOLLAR);
        _prepared["tokenFee"] = _signed(_token(receiver), DOLLAR, 0, 10_000, ICredits.UsdcMethod.None);
        _allowRandomNonces();
        _prepared["tokenTransferV1"] =
            _signedRandomNonce(_token(receiver), DOLLAR, 1, 0, ICredits.UsdcMethod.TransferV1);
        _prepared["tokenReceiveV2"] = _signed(_token(receiver), DOLLAR, 1, 0, ICredits.UsdcMethod.ReceiveV2);
        _prepared["normal"] = _signed(_normal(DOLLAR), DOLLAR);
        _prepared["normalRefund"] = _signed(_normal(DOLLAR), 2 * DOLLAR);
        _prepared["safeMint"] = _signed(_safeMint(1, DOLLAR), DOLLAR);
        _prepared["returned"] = _signed(_returned(DOLLAR), DOLLAR);
        _prepared["known"] = _signed(_known(42), DOLLAR);
        _prepared["decent"] = _signed(_decent(DOLLAR), DOLLAR);
        for (uint256 i = 0; i < 10; ++i) {
            _encodedBatch.push(abi.encode(_signed(_token(receiver), DOLLAR)));
        }
    }

    function test_gas_bareTransfer() public {
        vm.prank(stranger);
        usdc.transfer(receiver, 1);
        vm.snapshotGasLastCall("Credits", "bare transfer");
    }

    /// @dev The baseline: how a customer would pay without redeems.
    function test_gas_bareTransferWithAuthorization() public {
        _bare();
        vm.snapshotGasLastCall("Credits", "bare transferWithAuthorization");
    }

    /// @dev The goal is at most 1.18 times the gas of the baseline, on the real USDC. The mock's `transferWithAuthorization` uses less gas,
    /// so the limit here is 1.24 times.
    function test_gas_token_isBelowItsGoal() public {
        uint256 snapshot = vm.snapshotState();
        _bare();
        uint256 bare = vm.lastCallGas().gasTotalUsed;
        vm.revertToState(snapshot);
        vm.prank(operator);
        _redeemToken(_prepared["tokenFee"]);
        vm.assertLe(vm.lastCallGas().gasTotalUsed * 100, bare * 124);
    }

    function _bare() private {
        ICredits.EarlyAuthorization memory authorization = _early(_prepared["tokenTransferV1"]);
        bytes32 digest = _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), authorization, receiver);
        bytes memory signature = _signature(CUSTOMER_KEY, digest);
        vm.prank(stranger);
        usdc.transferWithAuthorization(
            customer, receiver, authorization.value, 0, authorization.validBefore, authorization.nonce, signature
        );
    }

    /// @dev At least 1,500 of the 24,576 bytes that EIP-170 allows must stay free.
    function test_runtimeSize() public view {
        vm.assertLe(address(credits).code.length, 23_076);
    }

    function test_gas_token() public {
        _measure("token", "token");
    }

    function test_gas_token_withFee() public {
        _measure("tokenFee", "token, with fee");
    }

    function test_gas_redeemToken() public {
        vm.prank(operator);
        _redeemToken(_prepared["token"]);
        vm.snapshotGasLastCall("Credits", "token, by redeemToken");
    }

    function test_gas_redeemToken_withFee() public {
        vm.prank(operator);
        _redeemToken(_prepared["tokenFee"]);
        vm.snapshotGasLastCall("Credits", "token, by redeemToken, with fee");
    }

    function test_gas_token_transferV1() public {
        _measure("tokenTransferV1", "token, USDC by transfer V1");
    }

    function test_gas_token_receiveV2() public {
        _measure("tokenReceiveV2", "token, USDC by receive V2");
    }

    function test_gas_normal() public {
        _measure("normal", "normal");
    }

    function test_gas_normal_withRefund() public {
        _measure("normalRefund", "normal, with refund");
    }

    function test_gas_safeMint() public {
        _measure("safeMint", "safeMint");
    }

    function test_gas_returned() public {
        _measure("returned", "returned");
    }

    function test_gas_knownTokenId() public {
        _measure("known", "known token id");
    }

    function test_gas_decent() public {
        _measure("decent", "decent");
    }

    function test_gas_batchOfTenTokens() public {
        uint256[] memory gasLimits = new uint256[](10);
        for (uint256 i = 0; i < 10; ++i) {
            gasLimits[i] = 200_000;
        }
        vm.prank(operator);
        credits.redeemBatch(_encodedBatch, gasLimits);
        vm.snapshotGasLastCall("Credits", "batch of ten tokens");
    }

    function _measure(string memory prepared, string memory name) private {
        _redeem(_prepared[prepared]);
        vm.snapshotGasLastCall("Credits", name);
    }
}

/// @title Gas of settling a payment
/// forge-config: default.isolate = true
contract PaymentSettlementGasTest is CreditsFixture {
    IPaymentSettlementContract private payments;

    function setUp() public override {
        super.setUp();
        payments = _newPayments();
        _fund(operator, 100 * DOLLAR);
        _fund(receiver, 1);
    }

    function test_gas_pay() public {
        _settle(1, IPaymentSettlement.Outcome.PayUsdc, "pay USDC");
    }

    function test_gas_mint() public {
        _settle(1, IPaymentSettlement.Outcome.MintCredits, "mint credits");
    }

    function test_gas_execute() public {
        _settle(1, IPaymentSettlement.Outcome.Execute, "execute token, first of a customer");
        _settle(2, IPaymentSettlement.Outcome.Execute, "execute token");
    }

    function _settle(uint256 id, IPaymentSettlement.Outcome outcome, string memory name) private {
        IPaymentSettlement.Payment memory payment;
        payment.id = keccak256(abi.encode(id));
        payment.customer = customer;
        payment.creditSeed = SEED;
        payment.amount = DOLLAR;
        payment.outcome = outcome;
        if (outcome == IPaymentSettlement.Outcome.Execute) payment.settlement = _token(receiver);
        else payment.receiver = receiver;
        vm.prank(operator);
        payments.settle(payment);
        vm.snapshotGasLastCall("PaymentSettlement", name);
    }
}
