// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {IPaymentSettlement} from "../src/IPaymentSettlement.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {IPaymentSettlementContract} from "./Deployed.sol";
import {Test} from "./Test.sol";

/// @title Payments that settle, and authorizations that strangers land
contract PaymentHandler is CreditsFixture {
    IPaymentSettlementContract private payments;
    address private escrow;
    uint256 private _number;
    /// @dev Landed, and neither counted nor given back.
    uint256 private _waiting;
    uint256 private _paidIn;
    uint256 private _delivered;
    IPaymentSettlement.Authorization[] private _landed;
    bytes32[] private _settled;

    constructor() {
        setUp();
        payments = IPaymentSettlementContract(
            vm.deployCode("PaymentSettlement.sol:PaymentSettlement", abi.encode(credits, admin, uint48(0)))
        );
        vm.startPrank(admin);
        payments.grantRole(payments.OPERATOR_ROLE(), operator);
        credits.grantRole(credits.MINTER_ROLE(), address(payments));
        vm.stopPrank();
        vm.prank(operator);
        usdc.approve(address(payments), type(uint256).max);
        escrow = payments.escrowOf(customer);
    }

    function pay(uint256 seed) external {
        _settle(seed, _none());
    }

    function payWithCustomersUsdc(uint256 seed) external {
        uint256 value = 1 + (seed >> 8) % (2 * DOLLAR);
        _fund(customer, value);
        _settle(seed, _authorization(ICredits.UsdcMethod.ReceiveV2, value));
    }

    function land(uint256 seed) external {
        uint256 value = 1 + seed % DOLLAR;
        _fund(customer, value);
        IPaymentSettlement.Authorization memory one = _authorization(ICredits.UsdcMethod.TransferV2, value);
        ICredits.EarlyAuthorization memory signed = one.signed;
        vm.prank(stranger);
        usdc.transferWithAuthorization(
            customer, address(payments), value, 0, signed.validBefore, signed.nonce, signed.signature
        );
        one.landed = true;
        _landed.push(one);
        _waiting += value;
    }

    function payWithLanded(uint256 seed) external {
        if (_landed.length == 0) return;
        IPaymentSettlement.Authorization memory one = _takeLanded(seed);
        _waiting -= one.signed.value;
        _settle(seed, one);
        _refusedAgain(one);
    }

    function giveBack(uint256 seed) external {
        if (_landed.length == 0) return;
        IPaymentSettlement.Authorization memory one = _takeLanded(seed);
        uint256 before = usdc.balanceOf(customer);
        vm.prank(operator);
        payments.returnLanded(one.signed);
        vm.assertEq(usdc.balanceOf(customer) - before, one.signed.value);
        _waiting -= one.signed.value;
        _refusedAgain(one);
    }

    function settleAgain(uint256 seed) external {
        if (_settled.length == 0) return;
        IPaymentSettlement.Payment memory payment = _payment(seed);
        payment.id = _settled[seed % _settled.length];
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSettlement.AlreadySettled.selector, payment.id));
        payments.settle(payment);
    }

    /// @dev What the customer has sent and nobody has counted is here, and nothing else is on the way.
    function checkMoney() external view {
        vm.assertEq(usdc.balanceOf(address(payments)), _waiting);
        vm.assertEq(usdc.balanceOf(escrow), 0);
        vm.assertEq(credits.creditsOf(SEED, escrow), 0);
        vm.assertEq(usdc.allowance(address(payments), address(credits)), 0);
        vm.assertEq(_paidIn, _delivered);
        _assertBacked();
    }

    function steps() external pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](6);
        selectors[0] = this.pay.selector;
        selectors[1] = this.payWithCustomersUsdc.selector;
        selectors[2] = this.land.selector;
        selectors[3] = this.payWithLanded.selector;
        selectors[4] = this.giveBack.selector;
        selectors[5] = this.settleAgain.selector;
    }

    /// @dev What operator and customer pay is what receivers have afterwards, in USDC or credits.
    function _settle(uint256 seed, IPaymentSettlement.Authorization memory authorization) private {
        IPaymentSettlement.Payment memory payment = _payment(seed);
        payment.authorization = authorization;
        _fund(operator, payment.amount);
        uint256 before = usdc.balanceOf(operator);
        uint256 had = _receiverHas();
        vm.prank(operator);
        payments.settle(payment);
        _settled.push(payment.id);
        _paidIn += before + authorization.signed.value - usdc.balanceOf(operator);
        _delivered += _receiverHas() - had;
    }

    function _receiverHas() private view returns (uint256) {
        return usdc.balanceOf(receiver) + usdc.balanceOf(address(normalMerchant)) + credits.creditsOf(SEED, receiver)
            + credits.creditsOf(SEED, customer);
    }

    function _payment(uint256 seed) private returns (IPaymentSettlement.Payment memory payment) {
        payment.id = keccak256(abi.encode(++_number));
        payment.customer = customer;
        payment.creditSeed = SEED;
        payment.amount = 1 + (seed >> 16) % DOLLAR;
        uint256 kind = seed % 4;
        if (kind == 0) payment.outcome = IPaymentSettlement.Outcome.PayUsdc;
        if (kind == 1) payment.outcome = IPaymentSettlement.Outcome.MintCredits;
        if (kind < 2) payment.receiver = receiver;
        if (kind == 2) payment.settlement = _token(receiver);
        // Leaves a part.
        if (kind == 3) payment.settlement = _normal((payment.amount + 1) / 2);
    }

    function _refusedAgain(IPaymentSettlement.Authorization memory one) private {
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPaymentSettlement.AuthorizationAlreadyCounted.selector, one.signed.from, one.signed.nonce
            )
        );
        payments.returnLanded(one.signed);
    }

    function _takeLanded(uint256 seed) private returns (IPaymentSettlement.Authorization memory one) {
        uint256 place = seed % _landed.length;
        one = _landed[place];
        _landed[place] = _landed[_landed.length - 1];
        _landed.pop();
    }

    function _none() private pure returns (IPaymentSettlement.Authorization memory authorization) {}

    function _authorization(ICredits.UsdcMethod method, uint256 value)
        private
        returns (IPaymentSettlement.Authorization memory authorization)
    {
        authorization.method = method;
        ICredits.EarlyAuthorization memory signed = ICredits.EarlyAuthorization({
            from: customer,
            value: value,
            validAfter: 0,
            validBefore: block.timestamp + 60,
            nonce: keccak256(abi.encode("authorization", ++_number)),
            signature: ""
        });
        bytes32 typehash = method == ICredits.UsdcMethod.TransferV2
            ? usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH()
            : usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH();
        signed.signature = _signature(CUSTOMER_KEY, _authorizationDigest(typehash, signed, address(payments)));
        authorization.signed = signed;
    }
}

contract PaymentInvariantsTest is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    PaymentHandler private handler;

    function setUp() public {
        handler = new PaymentHandler();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(handler);
        targets[0].selectors = handler.steps();
    }

    /// @dev Each payment once, each authorization once, and all money where it belongs.
    function invariant_paymentsMoveWhatIsPaid() external view {
        handler.checkMoney();
    }

    function test_handler_reachesEveryStep() external {
        bytes4[] memory steps = handler.steps();
        for (uint256 i = 0; i < 12 * steps.length; ++i) {
            (bool success, bytes memory reason) =
                address(handler).call(abi.encodeWithSelector(steps[i % steps.length], i * 0x10001));
            vm.assertTrue(success, string(reason));
        }
        handler.checkMoney();
    }
}
