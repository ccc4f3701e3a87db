// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICredits} from "../../src/ICredits.sol";
import {Payment} from "./HonestMerchants.sol";

/// @dev Merchants whose behaviour depends on their caller, on the transaction's sender, or on code.

/// @title Treats its caller as the customer, and stores the caller in different ways
contract CallerBookkeeper is Payment {
    struct Order {
        uint64 paidAt;
        address payer;
    }

    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(uint256 plan => bool)) public hasPlan;
    mapping(uint256 id => Order) public orders;
    mapping(bytes32 account => uint256) public toppedUp;

    event Paid(address indexed payer, uint256 price);
    event ToppedUp(bytes32 indexed account);

    constructor(address usdc_) Payment(usdc_) {}

    function topUp(uint256 price) external {
        _pull(price);
        balanceOf[msg.sender] += price;
    }

    function subscribe(uint256 plan, uint256 price) external {
        _pull(price);
        hasPlan[msg.sender][plan] = true;
    }

    function order(uint256 id, uint256 price) external {
        _pull(price);
        orders[id] = Order(uint64(block.number), msg.sender);
    }

    /// @dev Stores the account as the customer. Only the event names the caller.
    function topUpAccount(bytes32 account, uint256 price) external {
        _pull(price);
        toppedUp[account] += price;
        emit Paid(msg.sender, price);
    }

    /// @dev Names the account only in an event.
    function topUpAnnouncedAccount(bytes32 account, uint256 price) external {
        _pull(price);
        balanceOf[msg.sender] += price;
        emit ToppedUp(account);
    }

    /// @dev Stores the account, and adds up the spending of its caller.
    function topUpCounted(bytes32 account, uint256 price) external {
        _pull(price);
        toppedUp[account] += price;
        balanceOf[msg.sender] += price;
    }

    /// @dev Stores its caller in addition to the customer.
    function topUpFor(address account, uint256 price) external {
        _pull(price);
        balanceOf[account] += price;
        orders[1].payer = msg.sender;
    }

    /// @dev Ignores the customer in its arguments.
    function topUpIgnoring(address account, uint256 price) external {
        _pull(price);
        balanceOf[msg.sender] += account == address(0) ? 0 : price;
    }

    /// @dev Also ignores the customer, and uses a hash of its caller and a second value as the storage key.
    function topUpPosition(address, uint256 price) external {
        _pull(price);
        toppedUp[keccak256(abi.encodePacked(msg.sender, uint32(7)))] += price;
    }

    /// @dev Uses the hash of the customer as the storage key, which is correct.
    function topUpPositionFor(address account, uint256 price) external {
        _pull(price);
        toppedUp[keccak256(abi.encodePacked(account, uint32(7)))] += price;
        orders[1].payer = msg.sender;
    }

    /// @dev Has no argument that identifies the customer.
    function subscribeOnce() external {
        _pull(10e6);
        orders[1].payer = msg.sender;
    }

    /// @dev Names the account only in an event, and credits the caller.
    function topUpAnnounced(address account, uint256 price) external {
        _pull(price);
        balanceOf[msg.sender] += price;
        emit Paid(account, price);
    }
}

/// @title Limits and prices that depend on the caller, on the receiver or on the stock
contract CallerRules is Payment {
    mapping(address account => uint256) public bought;
    mapping(address account => bool) public isMember;
    mapping(address receiver => uint256) public paidFor;
    uint256 public sold;

    error LimitReached(uint256 limit);
    error NotMember(address account);
    error SoldOut();
    error NoCredits();

    constructor(address usdc_) Payment(usdc_) {}

    function buyOnce(address receiver, uint256 price) external {
        if (++bought[msg.sender] > 1) revert LimitReached(1);
        _sell(receiver, price);
    }

    /// @dev Charges half the price from the fourth purchase on.
    function buyWithDiscount(address receiver, uint256 price) external {
        _sell(receiver, ++bought[msg.sender] > 3 ? price / 2 : price);
    }

    function buyOncePerReceiver(address receiver, uint256 price) external {
        if (++bought[receiver] > 1) revert LimitReached(1);
        _sell(receiver, price);
    }

    function buyFromStock(address receiver, uint256 price) external {
        if (++sold > 3) revert SoldOut();
        _sell(receiver, price);
    }

    function buyAsMember(address receiver, uint256 price) external {
        if (!isMember[msg.sender]) revert NotMember(msg.sender);
        _sell(receiver, price);
    }

    /// @dev Charges half the price to members. Looks up the caller instead of the customer.
    function buyWithMembership(address receiver, uint256 price) external {
        _sell(receiver, isMember[msg.sender] ? price / 2 : price);
    }

    /// @dev Reverts without an error, so the report must say what was checked.
    function buyAsSilentMember(address receiver, uint256 price) external {
        require(isMember[msg.sender]);
        _sell(receiver, price);
    }

    /// @dev Reverts without an error too, after a comparison.
    function buyAsOldMember(address receiver, uint256 price) external {
        require(block.timestamp > type(uint64).max);
        _sell(receiver, price);
    }

    /// @dev Charges half the price to customers with credits. Looks up the caller instead of the customer.
    function buyWithCredits(address receiver, uint256 price) external {
        _sell(receiver, _hasCredits(msg.sender) ? price / 2 : price);
    }

    function buyWithCreditsOfReceiver(address receiver, uint256 price) external {
        _sell(receiver, _hasCredits(receiver) ? price / 2 : price);
    }

    /// @dev Checks for code, as libraries for safe transfers do.
    function hasCode(address account) external view returns (bool) {
        return account.code.length != 0;
    }

    /// @dev Charges half the price to a caller with more USDC than the price.
    function buyWithUsdc(address receiver, uint256 price) external {
        _sell(receiver, usdc.balanceOf(msg.sender) > price ? price / 2 : price);
    }

    /// @dev Is payable, although it needs no native coin.
    function buyAsHolder(address receiver, uint256 price) external payable {
        if (!_hasCredits(msg.sender)) revert NoCredits();
        _sell(receiver, price);
    }

    function buyForHolder(address receiver, uint256 price) external {
        if (!_hasCredits(receiver)) revert NoCredits();
        _sell(receiver, price);
    }

    /// @dev Acts as if the credits contract had already made a purchase.
    function setBought(address account, uint256 count) external {
        bought[account] = count;
    }

    function _hasCredits(address account) private view returns (bool) {
        return ICredits(msg.sender).creditsOf("shop", account) >= 1e6;
    }

    function _sell(address receiver, uint256 price) private {
        _pull(price);
        paidFor[receiver] += price;
    }
}

/// @title Stores the transaction's sender, without an event
contract OriginBookkeeper is Payment {
    mapping(address buyer => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address, uint256 price) external {
        _pull(price);
        paidFor[tx.origin] += price;
    }

    /// @dev Stores the customer, and counts the purchases of the transaction's sender.
    function buyAndCount(address receiver, uint256 price) external {
        _pull(price);
        paidFor[receiver] += price;
        paidFor[tx.origin] += 1;
    }
}

/// @title Reads the transaction's sender, but treats all senders alike
contract OriginReader is Payment {
    mapping(address buyer => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        require(tx.origin != receiver || receiver.code.length == 0, "OriginReader: a contract has sent this");
        _pull(price);
        paidFor[receiver] += price;
    }
}

/// @title Sells only to accounts without code
contract EoaOnly is Payment {
    mapping(address buyer => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        require(msg.sender == tx.origin, "EoaOnly: no contracts");
        _pull(price);
        paidFor[receiver] += price;
    }
}

/// @title Sells to any caller, but not to a receiver with code
contract KeyHeldOnly is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        require(receiver.code.length == 0, "KeyHeldOnly: receiver has code");
        _pull(price);
        paidFor[receiver] += price;
    }
}
