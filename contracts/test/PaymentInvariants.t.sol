// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../src/ICredits.sol";
import {IEmergencyPause} from "../src/IEmergencyPause.sol";
import {IPaymentSettlement} from "../src/IPaymentSettlement.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {ICustomerEscrow, IPaymentSettlementContract} from "./Deployed.sol";
import {Test} from "./Test.sol";
import {SafeMintMerchant1155} from "./mocks/HonestMerchants.sol";

/// @title Settles payments, and also acts as an operator that tries to take more than the customer signed
contract PaymentHandler is CreditsFixture {
    IPaymentSettlementContract private payments;
    address private escrow;
    uint256 private _number;
    uint256 private _paidIn;
    uint256 private _delivered;
    /// @dev What the customer's authorizations paid: as measured at the token, and as the sum of the signed values.
    uint256 private _left;
    uint256 private _signedFor;
    uint256 private _ordersPaid;
    /// @dev Payments that the customer signed and the operator has not settled.
    IPaymentSettlement.Payment[] private _waiting;
    bytes32[] private _settled;
    bytes12[] private _paid;

    constructor() {
        setUp();
        payments = _newPayments();
        escrow = payments.escrowOf(customer);
    }

    function pay(uint256 seed) external {
        _settle(_payment(seed));
    }

    function payWithCustomersUsdc(uint256 seed) external {
        IPaymentSettlement.Payment memory payment = _payment(seed);
        _authorize(payment, seed, _newOrder());
        _settle(payment);
    }

    /// @dev The customer signs a payment that the operator can settle later.
    function sign(uint256 seed) external {
        IPaymentSettlement.Payment memory payment = _payment(seed);
        _authorize(payment, seed, _newOrder());
        _waiting.push(payment);
    }

    /// @dev Settles an earlier authorization once, as the customer signed it.
    function settleSigned(uint256 seed) external {
        if (_waiting.length == 0) return;
        uint256 place = seed % _waiting.length;
        IPaymentSettlement.Payment memory payment = _waiting[place];
        _waiting[place] = _waiting[_waiting.length - 1];
        _waiting.pop();
        if (payment.nftIds.length != 0) payment.nftIds[0] = mint721.minted() + 1;
        _settle(payment);
    }

    /// @dev Changes one term of a signed payment, as the operator.
    function cheat(uint256 seed) external {
        if (_waiting.length == 0) return;
        IPaymentSettlement.Payment memory payment = _waiting[seed % _waiting.length];
        uint256 field = (seed >> 8) % 8;
        if (field == 0) payment.amount = 1 + (payment.amount + seed % DOLLAR) % (2 * DOLLAR);
        if (field == 1) payment.customer = stranger;
        if (field == 2) payment.creditSeed = "another shop";
        if (field == 3) payment.authorization.value += 1 + seed % DOLLAR;
        if (field == 4) payment.authorization.salt = keccak256(abi.encode(seed));
        if (field == 5) payment.authorization.orderKey = _newOrder();
        if (field == 6) payment.authorization.validBefore += 1 + seed % 1000;
        if (field == 7) {
            if (payment.outcome == IPaymentSettlement.Outcome.Execute) payment.settlement = _token(operator);
            else payment.receiver = operator;
        }
        if (field == 0 && payment.amount == _waiting[seed % _waiting.length].amount) ++payment.amount;
        _fund(operator, 3 * DOLLAR);
        uint256 before = usdc.balanceOf(customer);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "FiatTokenV2: invalid signature"));
        payments.settle(payment);
        vm.assertEq(usdc.balanceOf(customer), before);
    }

    /// @dev Signs again, as the customer, for an order that is already paid.
    function payOrderAgain(uint256 seed) external {
        if (_paid.length == 0) return;
        bytes12 orderKey = _paid[seed % _paid.length];
        IPaymentSettlement.Payment memory payment = _payment(seed);
        _authorize(payment, seed, orderKey);
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSettlement.OrderAlreadyPaid.selector, customer, orderKey));
        payments.settle(payment);
    }

    /// @dev A pause stops all payments.
    function pauseForAWhile(uint256 seed) external {
        bytes32 role = payments.PAUSER_ROLE();
        vm.prank(admin);
        payments.grantRole(role, stranger);
        vm.prank(stranger);
        payments.pause();
        uint256 start = block.timestamp;
        vm.warp(start + seed % 7 days);
        IPaymentSettlement.Payment memory payment = _payment(seed);
        if (seed % 2 == 0) _authorize(payment, seed, _newOrder());
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IEmergencyPause.EnforcedPause.selector));
        payments.settle(payment);
        vm.warp(start);
        vm.prank(admin);
        payments.unpause();
    }

    function settleAgain(uint256 seed) external {
        if (_settled.length == 0) return;
        IPaymentSettlement.Payment memory payment = _payment(seed);
        payment.id = _settled[seed % _settled.length];
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSettlement.AlreadySettled.selector, payment.id));
        payments.settle(payment);
    }

    /// @dev Lets other callers send the escrow's tokens, which must go to the escrow's customer.
    function meddle(uint256 seed) external {
        address owner = escrow.code.length == 0 ? payments.deployEscrow(customer) : escrow;
        ICredits.RedeemRequest memory request;
        bytes memory refused = abi.encodeWithSignature("OnlyPaymentSettlement(address)", stranger);
        vm.startPrank(stranger);
        vm.expectRevert(refused);
        ICustomerEscrow(owner).redeem(credits, request);
        vm.expectRevert(refused);
        ICustomerEscrow(owner).pay(address(usdc), seed % 2);
        vm.stopPrank();
        bytes32 digest = keccak256(abi.encode(seed));
        vm.assertEq(bytes32(ICustomerEscrow(owner).isValidSignature(digest, "")), bytes32(bytes4(0xffffffff)));
    }

    /// @dev The contracts must keep no funds, and the customer must have paid exactly the signed amounts.
    function checkMoney() external view {
        vm.assertEq(usdc.balanceOf(address(payments)), 0);
        vm.assertEq(usdc.balanceOf(escrow), 0);
        vm.assertEq(credits.creditsOf(SEED, escrow), 0);
        vm.assertEq(usdc.allowance(address(payments), address(credits)), 0);
        vm.assertEq(_paidIn, _delivered);
        _assertBacked();
    }

    /// @dev Each authorization must have paid one order, and its customer the signed amount.
    function checkOrders() external view {
        vm.assertEq(_left, _signedFor);
        vm.assertEq(_ordersPaid, _paid.length);
        for (uint256 i = 0; i < _waiting.length; ++i) {
            assertFalse(payments.orderPaid(customer, _waiting[i].authorization.orderKey));
        }
    }

    function steps() external pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](9);
        selectors[0] = this.pay.selector;
        selectors[1] = this.payWithCustomersUsdc.selector;
        selectors[2] = this.sign.selector;
        selectors[3] = this.settleSigned.selector;
        selectors[4] = this.cheat.selector;
        selectors[5] = this.payOrderAgain.selector;
        selectors[6] = this.settleAgain.selector;
        selectors[7] = this.pauseForAWhile.selector;
        selectors[8] = this.meddle.selector;
    }

    /// @dev The operator and the customer together must pay exactly the USDC or credits that the receivers get.
    function _settle(IPaymentSettlement.Payment memory payment) private {
        _fund(operator, payment.amount);
        uint256 before = usdc.balanceOf(operator);
        uint256 had = _receiverHas();
        uint256 goods = _goodsOf(payment);
        uint256 purse = usdc.balanceOf(customer);
        vm.prank(operator);
        payments.settle(payment);
        vm.assertEq(_goodsOf(payment) - goods, _bought(payment));
        _settled.push(payment.id);
        uint256 value = payment.authorization.value;
        _paidIn += before + value - usdc.balanceOf(operator);
        _delivered += _receiverHas() - had;
        _left += purse - usdc.balanceOf(customer);
        _signedFor += value;
        if (value == 0) return;
        bytes12 orderKey = payment.authorization.orderKey;
        _paid.push(orderKey);
        if (payments.orderPaid(customer, orderKey)) ++_ordersPaid;
    }

    function _receiverHas() private view returns (uint256) {
        return usdc.balanceOf(receiver) + usdc.balanceOf(address(normalMerchant)) + usdc.balanceOf(address(mint721))
            + usdc.balanceOf(address(mint1155)) + credits.creditsOf(SEED, receiver) + credits.creditsOf(SEED, customer);
    }

    /// @dev Returns the receiver's balance of the asset that this payment buys.
    function _goodsOf(IPaymentSettlement.Payment memory payment) private view returns (uint256) {
        if (payment.outcome == IPaymentSettlement.Outcome.PayUsdc) return usdc.balanceOf(receiver);
        if (payment.outcome == IPaymentSettlement.Outcome.MintCredits) return credits.creditsOf(SEED, receiver);
        address target = payment.settlement.target;
        if (target == address(normalMerchant)) return normalMerchant.paidFor(receiver);
        if (target == address(mint721)) return mint721.balanceOf(customer);
        if (target == address(mint1155)) return mint1155.balanceOf(customer, 1);
        return usdc.balanceOf(receiver);
    }

    function _bought(IPaymentSettlement.Payment memory payment) private view returns (uint256) {
        address target = payment.settlement.target;
        if (target == address(normalMerchant)) return (payment.amount + 1) / 2;
        if (target == address(mint721)) return 1;
        if (target == address(mint1155)) return 3;
        return payment.amount;
    }

    function _payment(uint256 seed) private returns (IPaymentSettlement.Payment memory payment) {
        payment.id = keccak256(abi.encode(++_number));
        payment.customer = customer;
        payment.creditSeed = SEED;
        payment.amount = 1 + (seed >> 16) % DOLLAR;
        uint256 kind = seed % 6;
        if (kind == 0) payment.outcome = IPaymentSettlement.Outcome.PayUsdc;
        if (kind == 1) payment.outcome = IPaymentSettlement.Outcome.MintCredits;
        if (kind < 2) payment.receiver = receiver;
        if (kind == 2) payment.settlement = _token(receiver);
        // The merchant pulls only a part of the amount.
        if (kind == 3) payment.settlement = _normal((payment.amount + 1) / 2);
        if (kind == 4) {
            payment.settlement = _safeMint(1, payment.amount);
            payment.nftIds = new uint256[](1);
            payment.nftIds[0] = mint721.minted() + 1;
        }
        if (kind == 5) {
            bytes memory data = abi.encodeCall(SafeMintMerchant1155.mint, (1, 3, payment.amount));
            payment.settlement = _call(ICredits.Kind.SafeMint, address(mint1155), data);
            payment.settlement.nftContract = address(mint1155);
        }
    }

    function _newOrder() private returns (bytes12) {
        return bytes12(keccak256(abi.encode("order", ++_number))) | bytes12(uint96(1 << 95));
    }

    function _authorize(IPaymentSettlement.Payment memory payment, uint256 seed, bytes12 orderKey) private {
        uint256 value = 1 + (seed >> 8) % (2 * DOLLAR);
        _fund(customer, value);
        payment.authorization = IPaymentSettlement.Authorization({
            method: seed & 16 == 0 ? ICredits.UsdcMethod.ReceiveV1 : ICredits.UsdcMethod.ReceiveV2,
            value: value,
            validAfter: 0,
            validBefore: block.timestamp + 365 days,
            orderKey: orderKey,
            salt: keccak256(abi.encode("salt", ++_number)),
            signature: ""
        });
        ICredits.EarlyAuthorization memory signed = ICredits.EarlyAuthorization({
            from: customer,
            value: value,
            validAfter: 0,
            validBefore: payment.authorization.validBefore,
            nonce: payments.paymentNonce(payment),
            signature: ""
        });
        payment.authorization.signature = _signature(
            CUSTOMER_KEY, _authorizationDigest(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), signed, address(payments))
        );
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

    function invariant_paymentsMoveWhatIsPaid() external view {
        handler.checkMoney();
    }

    function invariant_authorizationsPayWhatWasSignedOncePerOrder() external view {
        handler.checkOrders();
    }

    function test_handler_reachesEveryStep() external {
        bytes4[] memory steps = handler.steps();
        for (uint256 i = 0; i < 12 * steps.length; ++i) {
            (bool success, bytes memory reason) =
                address(handler).call(abi.encodeWithSelector(steps[i % steps.length], i * 0x10001));
            vm.assertTrue(success, string(reason));
        }
        handler.checkMoney();
        handler.checkOrders();
    }
}
