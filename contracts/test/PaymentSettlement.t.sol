// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IBridgeAdapter} from "../src/IBridgeAdapter.sol";
import {ICredits} from "../src/ICredits.sol";
import {IPaymentSettlement} from "../src/IPaymentSettlement.sol";
import {RoleGrant} from "../src/RoleGrant.sol";
import {CreditsFixture} from "./CreditsFixture.sol";
import {ICustomerEscrow, IPaymentSettlementContract} from "./Deployed.sol";
import {HostileMerchant} from "./mocks/HostileMerchant.sol";
import {KnownTokenIdMerchant} from "./mocks/KnownTokenIdMerchant.sol";
import {SafeMintMerchant1155} from "./mocks/SafeMintMerchant1155.sol";
import {SmartWallet} from "./mocks/SmartWallet.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";

/// @title Tokens that come in batches
contract Tokens1155 is ERC1155 {
    constructor() ERC1155("") {}

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata values) external {
        _mintBatch(to, ids, values, "");
    }
}

contract PaymentSettlementTest is CreditsFixture {
    bytes32 private constant ID = keccak256("payment");
    /// @dev Answers every call with ERC-1271's magic value: `return(bytes4(0x1626ba7e))`.
    bytes private constant ANY_SIGNATURE = hex"631626ba7e60e01b60005260206000f3";

    IPaymentSettlementContract private payments;
    address private escrow;

    function setUp() public override {
        super.setUp();
        payments = IPaymentSettlementContract(
            vm.deployCode(
                "PaymentSettlement.sol:PaymentSettlement", abi.encode(credits, admin, uint48(0), new RoleGrant[](0))
            )
        );
        vm.startPrank(admin);
        payments.grantRole(payments.OPERATOR_ROLE(), operator);
        credits.grantRole(credits.MINTER_ROLE(), address(payments));
        vm.stopPrank();
        _fund(operator, 100 * DOLLAR);
        vm.prank(operator);
        usdc.approve(address(payments), type(uint256).max);
        escrow = payments.escrowOf(customer);
    }

    // What it executes

    function test_settle_token() public {
        _settle(_executes(_token(receiver), DOLLAR));
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        _assertPaid(DOLLAR);
    }

    function test_settle_normalMakesCreditsOfWhatWasNotPulled() public {
        uint256 before = _customerCredits();
        vm.expectEmit(address(payments));
        emit IPaymentSettlement.PaymentSettled(
            ID, customer, IPaymentSettlement.Outcome.Execute, 5 * DOLLAR, 0, 2 * DOLLAR
        );
        _settle(_executes(_normal(3 * DOLLAR), 5 * DOLLAR));
        vm.assertEq(normalMerchant.paidFor(receiver), 3 * DOLLAR);
        vm.assertEq(_customerCredits() - before, 2 * DOLLAR);
        _assertPaid(5 * DOLLAR);
    }

    function test_settle_safeMintDeliversTheNamedTokens() public {
        IPaymentSettlement.Payment memory payment = _executes(_safeMint(2, DOLLAR), DOLLAR);
        payment.nftIds = _ids(1, 2);
        _settle(payment);
        vm.assertEq(mint721.ownerOf(1), customer);
        vm.assertEq(mint721.ownerOf(2), customer);
        _assertPaid(DOLLAR);
    }

    function test_settle_revertsWhenOtherTokensArrive() public {
        IPaymentSettlement.Payment memory payment = _executes(_safeMint(2, DOLLAR), DOLLAR);
        payment.nftIds = new uint256[](1);
        payment.nftIds[0] = 1;
        _expectSettleReverts(
            payment, abi.encodeWithSelector(IPaymentSettlement.OtherTokensArrived.selector, address(mint721), 2, 1)
        );
        payment.nftIds = _ids(1, 3);
        _expectSettleReverts(payment, abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 3));
    }

    function test_handOn_whatWasNotNamed() public {
        _settle(_executes(_safeMint(1, DOLLAR), DOLLAR));
        vm.assertEq(mint721.ownerOf(1), escrow);
        vm.prank(stranger);
        ICustomerEscrow(escrow).handOn(address(mint721), 1);
        vm.assertEq(mint721.ownerOf(1), customer);
    }

    function test_settle_safeMint1155() public {
        ICredits.Settlement memory settlement =
            _call(ICredits.Kind.SafeMint, address(mint1155), abi.encodeCall(SafeMintMerchant1155.mint, (5, 9, DOLLAR)));
        settlement.nftContract = address(mint1155);
        _settle(_executes(settlement, DOLLAR));
        vm.assertEq(mint1155.balanceOf(customer, 5), 9);
        _assertPaid(DOLLAR);
    }

    /// @dev What is with the escrow already counts for nothing.
    function test_settle_deliversBesideWhatWasThere() public {
        _settle(_executes(_safeMint(1, DOLLAR), DOLLAR));
        vm.assertEq(mint721.ownerOf(1), escrow);
        IPaymentSettlement.Payment memory payment = _executes(_safeMint(1, DOLLAR), DOLLAR);
        payment.id = keccak256("another");
        payment.nftIds = new uint256[](1);
        payment.nftIds[0] = 2;
        _settle(payment);
        vm.assertEq(mint721.ownerOf(2), customer);
        vm.assertEq(mint721.ownerOf(1), escrow);
    }

    function test_settle_returned() public {
        IPaymentSettlement.Payment memory payment = _executes(_returned(DOLLAR), DOLLAR);
        payment.nftIds = new uint256[](1);
        payment.nftIds[0] = 1;
        _settle(payment);
        vm.assertEq(returnedMerchant.ownerOf(1), customer);
        _assertPaid(DOLLAR);
    }

    function test_settle_knownTokenId() public {
        knownMerchant.list(7, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_known(7), DOLLAR);
        payment.nftIds = new uint256[](1);
        payment.nftIds[0] = 7;
        _settle(payment);
        vm.assertEq(knownMerchant.ownerOf(7), customer);
        _assertPaid(DOLLAR);
    }

    function test_settle_decentIsClaimableForTheCustomer() public {
        _openRoute();
        _settle(_executes(_decent(DOLLAR), DOLLAR));
        vm.assertEq(usdc.balanceOf(address(adapter)), DOLLAR);
        _assertPaid(DOLLAR);
        // The same adapter plays the destination, where the call finds no contract.
        vm.startPrank(admin);
        adapter.setSource(DST_CHAIN, address(adapter), true);
        adapter.setDailyLimit(address(usdc), DOLLAR);
        vm.stopPrank();
        vm.prank(operator);
        assertFalse(
            adapter.execute(
                IBridgeAdapter.Delivery({
                    srcChainId: DST_CHAIN,
                    srcAdapter: address(adapter),
                    number: 1,
                    customer: escrow,
                    nonce: 0,
                    amount: DOLLAR,
                    token: address(usdc),
                    cost: DOLLAR,
                    target: address(0xDE57),
                    data: hex"01020304",
                    minimumGas: CALL_GAS
                })
            )
        );
        uint256 before = usdc.balanceOf(customer);
        vm.prank(stranger);
        ICustomerEscrow(escrow).claim(adapter, address(usdc));
        vm.assertEq(usdc.balanceOf(customer) - before, DOLLAR);
    }

    function test_settle_revertsWhenNotWhitelisted() public {
        _whitelist(block.chainid, address(normalMerchant), 0, true, false, CALL_GAS);
        ICredits.Settlement memory settlement = _normal(DOLLAR);
        _expectSettleReverts(
            _executes(settlement, DOLLAR),
            abi.encodeWithSelector(
                ICredits.NotWhitelisted.selector, SEED, block.chainid, address(normalMerchant), bytes4(settlement.data)
            )
        );
    }

    function test_settle_revertsWhenUsdcWouldBeLost() public {
        _expectSettleReverts(
            _executes(_token(address(payments)), DOLLAR),
            abi.encodeWithSelector(IPaymentSettlement.ForbiddenTarget.selector, address(payments))
        );
        _expectSettleReverts(
            _executes(_token(escrow), DOLLAR),
            abi.encodeWithSelector(IPaymentSettlement.ForbiddenTarget.selector, escrow)
        );
    }

    /// @dev Only a payment of USDC would be lost there: a call is like any other.
    function test_settle_callsThisContractWhereItIsWhitelisted() public {
        _allow(address(payments));
        _settle(
            _executes(
                _call(ICredits.Kind.Normal, address(payments), abi.encodeCall(payments.deployEscrow, (stranger))),
                DOLLAR
            )
        );
        assertFalse(payments.escrowOf(stranger).code.length == 0);
        _assertPaid(DOLLAR);
    }

    // Credits and USDC

    function test_settle_mintsCredits() public {
        _settle(_pays(IPaymentSettlement.Outcome.MintCredits, receiver, DOLLAR));
        vm.assertEq(credits.creditsOf(SEED, receiver), DOLLAR);
        _assertPaid(DOLLAR);
    }

    function test_settle_paysUsdc() public {
        _settle(_pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR));
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        _assertPaid(DOLLAR);
    }

    function test_settle_revertsWithoutReceiver() public {
        _expectSettleReverts(
            _pays(IPaymentSettlement.Outcome.PayUsdc, address(0), DOLLAR),
            abi.encodeWithSelector(IPaymentSettlement.ZeroAddress.selector, "receiver")
        );
    }

    function test_settle_revertsForNothing() public {
        _expectSettleReverts(
            _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, 0),
            abi.encodeWithSelector(IPaymentSettlement.ZeroAmount.selector)
        );
    }

    function test_settle_revertsWhenUsdcWouldStayHere() public {
        _expectSettleReverts(
            _pays(IPaymentSettlement.Outcome.PayUsdc, address(payments), DOLLAR),
            abi.encodeWithSelector(IPaymentSettlement.ForbiddenTarget.selector, address(payments))
        );
    }

    function test_settle_revertsWithoutCustomer() public {
        IPaymentSettlement.Payment memory payment = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR);
        payment.customer = address(0);
        _expectSettleReverts(payment, abi.encodeWithSelector(IPaymentSettlement.ZeroAddress.selector, "customer"));
    }

    function test_settle_revertsWhenAnExecutionNamesAReceiver() public {
        IPaymentSettlement.Payment memory payment = _executes(_token(stranger), DOLLAR);
        payment.receiver = receiver;
        _expectSettleReverts(payment, abi.encodeWithSelector(IPaymentSettlement.UnexpectedField.selector, "receiver"));
    }

    // Once, and by whom

    function test_settle_once() public {
        _settle(_executes(_token(receiver), DOLLAR));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSettlement.AlreadySettled.selector, ID));
        payments.settle(_pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR));
    }

    function test_settle_revertsForStrangers() public {
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        bytes memory refused = abi.encodeWithSignature(
            "AccessControlUnauthorizedAccount(address,bytes32)", stranger, payments.OPERATOR_ROLE()
        );
        vm.startPrank(stranger);
        vm.expectRevert(refused);
        payments.settle(payment);
        vm.expectRevert(refused);
        payments.returnLanded(payment.authorization.signed);
        vm.stopPrank();
    }

    function test_escrow_obeysTheSettlementContractOnly() public {
        payments.deployEscrow(customer);
        vm.assertEq(ICustomerEscrow(escrow).customer(), customer);
        ICredits.RedeemRequest memory request = _request(_token(stranger), DOLLAR, 0, 0);
        bytes memory refused = abi.encodeWithSignature("OnlySettlement(address)", stranger);
        vm.startPrank(stranger);
        vm.expectRevert(refused);
        ICustomerEscrow(escrow).redeem(credits, request);
        vm.expectRevert(refused);
        ICustomerEscrow(escrow).pay(address(usdc), 1);
        vm.stopPrank();
    }

    /// @dev What it has agreed to for one redeem, it agrees to no more.
    function test_escrow_forgetsItsPermit() public {
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        ICredits.Permit memory permit = ICredits.Permit({
            customerWallet: escrow,
            creditSeed: SEED,
            amount: DOLLAR,
            validBefore: block.timestamp + 1,
            nonce: credits.intentNonce(
                bytes12(ID),
                escrow,
                credits.hashSettlement(payment.settlement),
                ICredits.Intent({amount: DOLLAR, usdcAmount: 0, salt: ID})
            ),
            signature: ""
        });
        _settle(payment);
        bytes32 hash = credits.hashCreditsAuthorization(permit);
        vm.assertTrue(ICustomerEscrow(escrow).isValidSignature(hash, "") == bytes4(0xffffffff));
    }

    function test_escrow_saysWhatItReceives() public {
        payments.deployEscrow(customer);
        vm.assertTrue(IERC165(escrow).supportsInterface(type(IERC1155Receiver).interfaceId));
        vm.assertTrue(IERC165(escrow).supportsInterface(type(IERC165).interfaceId));
        assertFalse(IERC165(escrow).supportsInterface(0xffffffff));
    }

    function test_escrow_handsOnABatch() public {
        payments.deployEscrow(customer);
        Tokens1155 tokens = new Tokens1155();
        uint256[] memory ids = _ids(3, 4);
        tokens.mintBatch(escrow, ids, _ids(5, 6));
        vm.assertEq(tokens.balanceOf(customer, 3), 5);
        vm.assertEq(tokens.balanceOf(customer, 4), 6);
    }

    function testFuzz_escrow_agreesToNothingByItself(bytes32 hash) public {
        payments.deployEscrow(customer);
        vm.assertTrue(ICustomerEscrow(escrow).isValidSignature(hash, "") == bytes4(0xffffffff));
        vm.assertTrue(ICustomerEscrow(escrow).isValidSignature(0, "") == bytes4(0xffffffff));
    }

    // A merchant that is an operator, too

    function test_settle_revertsInsideASettlement() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory inner = _pays(IPaymentSettlement.Outcome.PayUsdc, stranger, DOLLAR);
        inner.id = keccak256("inner");
        inner.authorization = _authorization(ICredits.UsdcMethod.ReceiveV2, DOLLAR);
        _expectLocked(abi.encodeCall(payments.settle, (inner)));
    }

    function test_returnLanded_revertsInsideASettlement() public {
        _expectLocked(abi.encodeCall(payments.returnLanded, (_landed().authorization.signed)));
    }

    function _expectLocked(bytes memory data) private {
        HostileMerchant hostile = new HostileMerchant(address(usdc));
        _allow(address(hostile));
        bytes32 role = payments.OPERATOR_ROLE();
        vm.prank(admin);
        payments.grantRole(role, address(hostile));
        _settle(
            _executes(
                _call(
                    ICredits.Kind.Normal,
                    address(hostile),
                    abi.encodeCall(HostileMerchant.tryCall, (0, address(payments), data))
                ),
                DOLLAR
            )
        );
        assertFalse(hostile.lastSucceeded());
        vm.assertEq(hostile.lastAnswer(), abi.encodeWithSignature("ReentrancyGuardReentrantCall()"));
    }

    // The customer's USDC

    /// @dev What waits to be counted is not counted for a payment that collects.
    function test_settle_collectsBesideWhatIsThere() public {
        _fund(address(payments), 5 * DOLLAR);
        _collects(ICredits.UsdcMethod.ReceiveV2);
        vm.assertEq(usdc.balanceOf(address(payments)), 5 * DOLLAR);
    }

    /// @dev A token that says yes and moves nothing.
    function test_settle_revertsWhenLessArrives() public {
        IPaymentSettlement.Payment memory payment = _pays(IPaymentSettlement.Outcome.PayUsdc, receiver, DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.ReceiveV2, DOLLAR);
        vm.etch(address(usdc), hex"600160005260206000f3");
        _expectSettleReverts(
            payment, abi.encodeWithSelector(IPaymentSettlement.TransferredAmountMismatch.selector, 0, DOLLAR)
        );
    }

    function test_settle_collectsWithEachMethod() public {
        _collects(ICredits.UsdcMethod.TransferV1);
        _collects(ICredits.UsdcMethod.TransferV2);
        _collects(ICredits.UsdcMethod.ReceiveV1);
        _collects(ICredits.UsdcMethod.ReceiveV2);
    }

    function _collects(ICredits.UsdcMethod method) private {
        _fund(customer, 2 * DOLLAR);
        uint256 before = usdc.balanceOf(operator);
        uint256 received = usdc.balanceOf(receiver);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), 3 * DOLLAR);
        payment.id = keccak256(abi.encode(method));
        payment.authorization = _authorization(method, 2 * DOLLAR);
        _settle(payment);
        vm.assertEq(before - usdc.balanceOf(operator), DOLLAR);
        vm.assertEq(usdc.balanceOf(receiver) - received, 3 * DOLLAR);
        vm.assertEq(usdc.balanceOf(customer), 0);
    }

    function test_settle_leavesTheCustomersUsdcWhenTheCallFails() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_normal(3 * DOLLAR), 2 * DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.ReceiveV2, DOLLAR);
        vm.prank(operator);
        vm.expectPartialRevert(ICredits.CallFailed.selector);
        payments.settle(payment);
        vm.assertEq(usdc.balanceOf(customer), DOLLAR);
        assertFalse(usdc.authorizationState(customer, payment.authorization.signed.nonce));
    }

    function test_settle_paysTheOperatorWhatIsAboveTheAmount() public {
        _fund(customer, 2 * DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.ReceiveV2, 2 * DOLLAR);
        _settle(payment);
        vm.assertEq(usdc.balanceOf(operator), 101 * DOLLAR);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        vm.assertEq(usdc.balanceOf(address(payments)), 0);
    }

    function test_settle_countsALandedAuthorizationOnce() public {
        IPaymentSettlement.Payment memory payment = _landed();
        uint256 before = usdc.balanceOf(operator);
        _settle(payment);
        vm.assertEq(usdc.balanceOf(operator), before);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
        payment.id = keccak256("another");
        bytes memory counted = abi.encodeWithSelector(
            IPaymentSettlement.AuthorizationAlreadyCounted.selector, customer, payment.authorization.signed.nonce
        );
        _expectSettleReverts(payment, counted);
        vm.prank(operator);
        vm.expectRevert(counted);
        payments.returnLanded(payment.authorization.signed);
    }

    /// @dev One that the contract has executed itself is no landed one.
    function test_settle_countsWhatItCollected() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.ReceiveV2, DOLLAR);
        _settle(payment);
        payment.id = keccak256("another");
        payment.authorization.landed = true;
        _expectSettleReverts(
            payment,
            abi.encodeWithSelector(
                IPaymentSettlement.AuthorizationAlreadyCounted.selector, customer, payment.authorization.signed.nonce
            )
        );
    }

    function test_settle_revertsForAnAuthorizationOfNothing() public {
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.ReceiveV2, 0);
        _expectSettleReverts(payment, abi.encodeWithSelector(IPaymentSettlement.ZeroAmount.selector));
    }

    function test_settle_revertsForAnAuthorizationWithoutAMethod() public {
        bytes memory unexpected = abi.encodeWithSelector(IPaymentSettlement.UnexpectedField.selector, "authorization");
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        payment.authorization.signed.value = 1;
        _expectSettleReverts(payment, unexpected);
        payment.authorization.signed.value = 0;
        payment.authorization.landed = true;
        _expectSettleReverts(payment, unexpected);
    }

    function test_settle_revertsForV1OfAnotherLength() public {
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.ReceiveV1, DOLLAR);
        payment.authorization.signed.signature = bytes.concat(payment.authorization.signed.signature, hex"00");
        _expectSettleReverts(payment, abi.encodeWithSelector(IPaymentSettlement.InvalidV1SignatureLength.selector, 66));
    }

    /// @dev A smart account's signature is taken by no V1 method: V2 it has to be.
    function test_settle_collectsWithReceiveV2FromASmartAccount() public {
        vm.etch(customer, ANY_SIGNATURE);
        _fund(customer, DOLLAR);
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.ReceiveV2, DOLLAR);
        payment.authorization.signed.signature = hex"1234";
        _settle(payment);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    function test_settle_revertsWhenNothingLanded() public {
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.TransferV2, DOLLAR);
        payment.authorization.landed = true;
        _expectSettleReverts(
            payment,
            abi.encodeWithSelector(
                IPaymentSettlement.AuthorizationNotLanded.selector, customer, payment.authorization.signed.nonce
            )
        );
    }

    function test_returnLanded() public {
        IPaymentSettlement.Payment memory payment = _landed();
        vm.expectEmit(address(payments));
        emit IPaymentSettlement.LandedAuthorizationReturned(customer, payment.authorization.signed.nonce, DOLLAR);
        vm.prank(operator);
        payments.returnLanded(payment.authorization.signed);
        vm.assertEq(usdc.balanceOf(customer), DOLLAR);
        _expectSettleReverts(
            payment,
            abi.encodeWithSelector(
                IPaymentSettlement.AuthorizationAlreadyCounted.selector, customer, payment.authorization.signed.nonce
            )
        );
    }

    function test_settle_countsALandedAuthorizationOfASmartAccount() public {
        address wallet = address(new SmartWallet(customer));
        IPaymentSettlement.Payment memory payment = _executes(_token(receiver), DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.TransferV2, DOLLAR);
        ICredits.EarlyAuthorization memory one = payment.authorization.signed;
        one.from = wallet;
        one.signature = _signature(
            CUSTOMER_KEY, _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), one, address(payments))
        );
        _fund(wallet, DOLLAR);
        _land(payment);
        _settle(payment);
        vm.assertEq(usdc.balanceOf(receiver), DOLLAR);
    }

    /// @dev Payee and value are what the customer signed; the operator's word counts for nothing.
    function test_landed_revertsWhenAFieldDiffers() public {
        IPaymentSettlement.Payment memory payment = _landed();
        _fund(address(payments), 10 * DOLLAR);
        ICredits.EarlyAuthorization memory one = payment.authorization.signed;
        ++one.value;
        _expectNotSigned(payment);
        one.value -= 2;
        _expectNotSigned(payment);
        ++one.value;
        ++one.validAfter;
        _expectNotSigned(payment);
        --one.validAfter;
        --one.validBefore;
        _expectNotSigned(payment);
        ++one.validBefore;
        bytes memory signature = one.signature;
        one.signature = "";
        _expectNotSigned(payment);
        one.signature = signature;
        _settle(payment);
    }

    /// @dev A nonce that was used at the token, for somebody else or by cancelling, is no claim to what is here.
    function test_landed_revertsWhenSignedForAnother() public {
        IPaymentSettlement.Payment memory payment = _landed();
        payment.authorization.signed =
            _signedFor(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), keccak256("for a stranger"), DOLLAR, stranger);
        _fund(customer, DOLLAR);
        _landAt(payment, stranger);
        _expectNotSigned(payment);
    }

    function test_landed_revertsWhenSignedAsReceive() public {
        IPaymentSettlement.Payment memory payment = _landed();
        bytes32 nonce = payment.authorization.signed.nonce;
        payment.authorization.method = ICredits.UsdcMethod.ReceiveV2;
        payment.authorization.signed =
            _signedFor(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), nonce, DOLLAR, address(payments));
        _expectNotSigned(payment);
    }

    function _expectNotSigned(IPaymentSettlement.Payment memory payment) private {
        ICredits.EarlyAuthorization memory one = payment.authorization.signed;
        bytes32 digest = _authorizationDigest(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), one, address(payments));
        bytes memory refused =
            abi.encodeWithSelector(IPaymentSettlement.InvalidLandedAuthorization.selector, one.from, digest);
        _expectSettleReverts(payment, refused);
        vm.prank(operator);
        vm.expectRevert(refused);
        payments.returnLanded(one);
    }

    /// @dev A payment whose authorization a stranger has sent to the token.
    function _landed() private returns (IPaymentSettlement.Payment memory payment) {
        _fund(customer, DOLLAR);
        payment = _executes(_token(receiver), DOLLAR);
        payment.authorization = _authorization(ICredits.UsdcMethod.TransferV2, DOLLAR);
        _land(payment);
    }

    function _land(IPaymentSettlement.Payment memory payment) private {
        _landAt(payment, address(payments));
    }

    function _landAt(IPaymentSettlement.Payment memory payment, address to) private {
        ICredits.EarlyAuthorization memory one = payment.authorization.signed;
        vm.prank(stranger);
        usdc.transferWithAuthorization(
            one.from, to, one.value, one.validAfter, one.validBefore, one.nonce, one.signature
        );
        payment.authorization.landed = true;
    }

    // How a payment is written

    function _pays(IPaymentSettlement.Outcome outcome, address to, uint256 amount)
        private
        view
        returns (IPaymentSettlement.Payment memory payment)
    {
        payment.id = ID;
        payment.customer = customer;
        payment.creditSeed = SEED;
        payment.amount = amount;
        payment.outcome = outcome;
        payment.receiver = to;
    }

    function _executes(ICredits.Settlement memory settlement, uint256 amount)
        private
        view
        returns (IPaymentSettlement.Payment memory payment)
    {
        payment = _pays(IPaymentSettlement.Outcome.Execute, address(0), amount);
        payment.settlement = settlement;
    }

    function _authorization(ICredits.UsdcMethod method, uint256 value)
        private
        view
        returns (IPaymentSettlement.Authorization memory authorization)
    {
        bool transfer = method == ICredits.UsdcMethod.TransferV1 || method == ICredits.UsdcMethod.TransferV2;
        authorization.method = method;
        authorization.signed = _signedFor(
            transfer ? usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH() : usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
            keccak256(abi.encode("nonce", method)),
            value,
            address(payments)
        );
    }

    function _signedFor(bytes32 typehash, bytes32 nonce, uint256 value, address to)
        private
        view
        returns (ICredits.EarlyAuthorization memory signed)
    {
        signed = ICredits.EarlyAuthorization({
            from: customer, value: value, validAfter: 0, validBefore: block.timestamp + 60, nonce: nonce, signature: ""
        });
        signed.signature = _signature(CUSTOMER_KEY, _authorizationDigest(typehash, signed, to));
    }

    function _ids(uint256 first, uint256 second) private pure returns (uint256[] memory ids) {
        ids = new uint256[](2);
        ids[0] = first;
        ids[1] = second;
    }

    function _settle(IPaymentSettlement.Payment memory payment) private {
        vm.prank(operator);
        payments.settle(payment);
    }

    function _expectSettleReverts(IPaymentSettlement.Payment memory payment, bytes memory reason) private {
        vm.prank(operator);
        vm.expectRevert(reason);
        payments.settle(payment);
        assertFalse(payments.settled(payment.id));
    }

    /// @dev The operator has paid this, and nothing stayed on the way.
    function _assertPaid(uint256 amount) private view {
        vm.assertEq(usdc.balanceOf(operator), 100 * DOLLAR - amount);
        vm.assertEq(usdc.balanceOf(address(payments)), 0);
        vm.assertEq(usdc.balanceOf(escrow), 0);
        vm.assertEq(credits.creditsOf(SEED, escrow), 0);
        vm.assertTrue(payments.settled(ID));
        _assertBacked();
    }
}
