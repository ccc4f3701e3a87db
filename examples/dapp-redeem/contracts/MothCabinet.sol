// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IUsdc {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface ITokenReceiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        returns (bytes4);
}

/// @title Sells specimens of a few species of moths to its caller, as ERC-721 tokens with the receiver hook: transaction type `safeMint`
/// @notice The number of a specimen is `species * 1_000 + n`, and its picture is drawn from that number alone.
contract MothCabinet {
    struct Species {
        /// Price of one specimen, in raw units of USDC.
        uint256 price;
        /// Maximum number of specimens; below 1_000.
        uint256 edition;
        uint256 sold;
    }

    IUsdc public immutable usdc;
    address public immutable keeper;
    mapping(uint256 number => Species) public species;
    mapping(uint256 id => address) public ownerOf;
    mapping(address owner => uint256[]) private _specimens;
    mapping(uint256 id => uint256) private _place;

    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    error SoldOut(uint256 species);
    error NotYourSpecimen(uint256 id);
    error NoReceiver();
    error RefusedSpecimen(address receiver);

    /// @param prices one for each species, from number 1 on, in raw units of USDC
    /// @param editions maximum number of specimens of each species
    constructor(IUsdc usdc_, address keeper_, uint256[] memory prices, uint256[] memory editions) {
        usdc = usdc_;
        keeper = keeper_;
        for (uint256 i = 0; i < prices.length; ++i) {
            species[i + 1] = Species({price: prices[i], edition: editions[i], sold: 0});
        }
    }

    /// @notice Sells the next specimen of a species to the caller, at the species' price.
    function collect(uint256 number) external returns (uint256 id) {
        Species storage one = species[number];
        if (one.sold == one.edition) revert SoldOut(number);
        id = number * 1_000 + ++one.sold;
        require(usdc.transferFrom(msg.sender, keeper, one.price));
        _hand(address(0), msg.sender, id);
        if (msg.sender.code.length == 0) return id;
        bytes4 answer = ITokenReceiver(msg.sender).onERC721Received(msg.sender, address(0), id, "");
        if (answer != ITokenReceiver.onERC721Received.selector) revert RefusedSpecimen(msg.sender);
    }

    function transferFrom(address from, address to, uint256 id) external {
        if (msg.sender != from || ownerOf[id] != from) revert NotYourSpecimen(id);
        if (to == address(0)) revert NoReceiver();
        _hand(from, to, id);
    }

    /// @notice Returns the numbers of all specimens that an account owns.
    function specimensOf(address owner) external view returns (uint256[] memory) {
        return _specimens[owner];
    }

    function balanceOf(address owner) external view returns (uint256) {
        return _specimens[owner].length;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd; // ERC-165, ERC-721
    }

    function _hand(address from, address to, uint256 id) private {
        if (from != address(0)) {
            uint256[] storage left = _specimens[from];
            uint256 last = left[left.length - 1];
            left[_place[id]] = last;
            _place[last] = _place[id];
            left.pop();
        }
        _place[id] = _specimens[to].length;
        _specimens[to].push(id);
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }
}
