// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ICredits} from "../src/ICredits.sol";
import {IPaymentSettlement} from "../src/IPaymentSettlement.sol";
import {RoleGrant} from "../src/RoleGrant.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {ICustomerEscrow, IPaymentSettlementContract} from "./Deployed.sol";
import {Test} from "./Test.sol";
import {SafeMintMerchant1155} from "./mocks/SafeMintMerchant1155.sol";

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
            vm.deployCode(
                "PaymentSettlement.sol:PaymentSettlement", abi.encode(credits, admin, uint48(0), new RoleGrant[](0))
            )
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
        // Any but `None`.
        _settle(seed, _authorization(ICredits.UsdcMethod(1 + (seed >> 4) % 4), value));
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

    /// @dev Who is not the settlement contract redeems and takes nothing there; hands on only what is the customer's anyway.
    function meddle(uint256 seed) external {
        address owner = escrow.code.length == 0 ? payments.deployEscrow(customer) : escrow;
        ICredits.RedeemRequest memory request;
        bytes memory refused = abi.encodeWithSignature("OnlySettlement(address)", stranger);
        vm.startPrank(stranger);
        vm.expectRevert(refused);
        ICustomerEscrow(owner).redeem(credits, request);
        vm.expectRevert(refused);
        ICustomerEscrow(owner).pay(address(usdc), seed % 2);
        vm.stopPrank();
        bytes32 digest = keccak256(abi.encode(seed));
        vm.assertEq(bytes32(ICustomerEscrow(owner).isValidSignature(digest, "")), bytes32(bytes4(0xffffffff)));
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
        selectors = new bytes4[](7);
        selectors[0] = this.pay.selector;
        selectors[1] = this.payWithCustomersUsdc.selector;
        selectors[2] = this.land.selector;
        selectors[3] = this.payWithLanded.selector;
        selectors[4] = this.giveBack.selector;
        selectors[5] = this.settleAgain.selector;
        selectors[6] = this.meddle.selector;
    }

    /// @dev What operator and customer pay is what receivers have afterwards, in USDC or credits.
    function _settle(uint256 seed, IPaymentSettlement.Authorization memory authorization) private {
        IPaymentSettlement.Payment memory payment = _payment(seed);
        payment.authorization = authorization;
        _fund(operator, payment.amount);
        uint256 before = usdc.balanceOf(operator);
        uint256 had = _receiverHas();
        uint256 goods = _goodsOf(payment);
        vm.prank(operator);
        payments.settle(payment);
        vm.assertEq(_goodsOf(payment) - goods, _bought(payment));
        _settled.push(payment.id);
        _paidIn += before + authorization.signed.value - usdc.balanceOf(operator);
        _delivered += _receiverHas() - had;
    }

    function _receiverHas() private view returns (uint256) {
        return usdc.balanceOf(receiver) + usdc.balanceOf(address(normalMerchant)) + usdc.balanceOf(address(mint721))
            + usdc.balanceOf(address(mint1155)) + credits.creditsOf(SEED, receiver) + credits.creditsOf(SEED, customer);
    }

    /// @dev Of what this payment buys, how much its receiver has.
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
        // Leaves a part.
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
        bool transfer = method == ICredits.UsdcMethod.TransferV1 || method == ICredits.UsdcMethod.TransferV2;
        bytes32 typehash =
            transfer ? usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH() : usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH();
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
