// Prints the objects that GNUstep's NSPredicate finds: opinion OBJECTS FORMATS
//
// OBJECTS is a property list with an array of dictionaries. FORMATS has a format on each line. For each format
// one line is printed with the indexes of the objects that match, or the word error.
#import <Foundation/Foundation.h>

static NSString *answer(NSString *format, NSArray *objects)
{
    NSMutableArray *found = [NSMutableArray array];
    NSUInteger index;
    @try {
        NSPredicate *predicate = [NSPredicate predicateWithFormat:format argumentArray:[NSArray array]];
        for (index = 0; index < [objects count]; index++) {
            if ([predicate evaluateWithObject:[objects objectAtIndex:index]]) {
                [found addObject:[NSString stringWithFormat:@"%lu", (unsigned long)index]];
            }
        }
    } @catch (NSException *exception) {
        return @"error";
    }
    return [found componentsJoinedByString:@" "];
}

int main(int count, char **arguments)
{
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    NSArray *objects = [NSArray arrayWithContentsOfFile:[NSString stringWithUTF8String:arguments[1]]];
    NSString *text = [NSString stringWithContentsOfFile:[NSString stringWithUTF8String:arguments[2]]
                                               encoding:NSUTF8StringEncoding
                                                  error:NULL];
    NSEnumerator *formats = [[text componentsSeparatedByString:@"\n"] objectEnumerator];
    NSString *format;
    while ((format = [formats nextObject]) != nil) {
        printf("%s\n", [answer(format, objects) UTF8String]);
    }
    [pool release];
    return 0;
}
